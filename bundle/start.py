"""Start the program with what lies beside this file and nothing else.

This file is copied into the bundle as ``parts/start.py``; there its name is all that
the list of programs shows.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.dont_write_bytecode = True  # the folder stays as it was made
sys.path.append(str(Path(__file__).resolve().parent / "packages"))

if __name__ == "__main__":
    from assistant.cli import main

    sys.exit(main())
