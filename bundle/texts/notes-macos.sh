#!/bin/sh
# Starts the notes. In a terminal, in this folder: sh notes.sh
# With --check: compares every file with the list manifest.txt.
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
parts=$here/parts

if [ "$(uname -s)-$(uname -m)" != "Darwin-@MACHINE@" ]; then
  echo "This folder is for macOS on @MACHINE@; this computer is another kind." >&2
  exit 1
fi

# The system takes this variable away from its own programs, such as the browser.
run() {
  DYLD_LIBRARY_PATH=$parts/lib exec "$parts/python/bin/@PYTHON@" -I -B "$@"
}

if [ "$1" = "--check" ]; then
  run "$parts/manifest.py" "$here"
fi

if { mkdir -p "$here/kept" && [ -w "$here/kept" ]; } 2>/dev/null; then
  EBB_HOME=$here/kept
  export EBB_HOME
else
  unset EBB_HOME
  echo "This folder cannot be written, so what is kept goes into your own folder on" \
    "this computer. README.txt says where." >&2
fi
EBB_MODELS=$parts/models
export EBB_MODELS

run "$parts/start.py" "$@"
