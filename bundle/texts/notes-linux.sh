#!/bin/sh
# Starts the notes. In a terminal, in this folder: sh notes.sh
# With --check: compares every file with the list manifest.txt.
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
parts=$here/parts
loader=@LOADER@

if [ ! -e "$loader" ] || [ "$(uname -m)" != "@MACHINE@" ]; then
  echo "This folder is for Linux on @MACHINE@; this computer is another kind." >&2
  exit 1
fi

# Through the loader: a stick may not let files be marked as programs, and whatever is
# started from here, such as the browser, keeps the system's own libraries.
run() {
  exec "$loader" --library-path "$parts/lib" "$parts/python/bin/@PYTHON@" -I -B "$@"
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
if [ "@MACHINE@" = x86_64 ] && ! grep -qw avx2 /proc/cpuinfo; then
  echo "This computer's processor is too old for the parts that write and listen;" \
    "everything else works." >&2
  EBB_MODELS=$parts/none
fi
export EBB_MODELS

run "$parts/start.py" "$@"
