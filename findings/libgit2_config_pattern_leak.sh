#!/bin/sh
# libgit2 1.5 of Debian 12 (regular expressions by PCRE2) keeps some 20 kB for each entry of a configuration that the pattern of
# git_config_iterator_glob_new leaves out, until the process ends. Without a pattern it keeps nothing. A program that asks each of
# many repositories for `^remote\..*\.promisor$` grows; one that iterates over all entries and compares names does not.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q libgit2-1.5=1.5.1+ds-1+deb12u2 libpcre2-8-0 libmbedtls14 libmbedcrypto7 libmbedx509-1 libhttp-parser2.9 \
  libssh2-1 >apt.txt 2>&1 || { cat apt.txt >&2; exit 1; }
for package in *.deb; do dpkg -x "$package" root; done

cat > ask.py <<'PYTHON'
import ctypes
git, c = ctypes.CDLL("libgit2.so.1.5"), ctypes.CDLL(None)

class Memory(ctypes.Structure):  # struct mallinfo2
    _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keep".split()]

c.mallinfo2.restype = Memory
git.git_libgit2_init()
with open("config", "w") as file:
    file.write("[one]\n" + "".join(f"\tname{number} = value\n" for number in range(10)))
config = ctypes.c_void_p()
assert git.git_config_open_ondisk(ctypes.byref(config), b"config") == 0

def iterate(pattern):
    entries, entry, count = ctypes.c_void_p(), ctypes.c_void_p(), 0
    made = (git.git_config_iterator_glob_new(ctypes.byref(entries), config, pattern) if pattern
            else git.git_config_iterator_new(ctypes.byref(entries), config))
    assert made == 0
    while git.git_config_next(ctypes.byref(entry), entries) == 0:
        count += 1
    git.git_config_iterator_free(entries)
    return count

def kept(pattern, times=1000):
    """Bytes that stay for each iteration, in steps of 10 kB."""
    iterate(pattern)
    before = c.mallinfo2().uordblks
    for _ in range(times):
        count = iterate(pattern)
    return f"{count} entries, {round((c.mallinfo2().uordblks - before) / times / 10_000) * 10} kB"

version = [ctypes.c_int() for _ in range(3)]
git.git_libgit2_version(*map(ctypes.byref, version))
print("version:", ".".join(str(part.value) for part in version))
print("without a pattern:", kept(None))
print("all 10 match:", kept(rb"^one\."))
print("none matches:", kept(rb"^two\."))
PYTHON
LD_LIBRARY_PATH="$(dirname "$(find root -name 'libgit2.so.1.5')")" /usr/bin/python3 ask.py | tee seen.txt
echo 'expected: 0 kB stay in all three'

cat > known.txt <<'TEXT'
version: 1.5.1
without a pattern: 10 entries, 0 kB
all 10 match: 10 entries, 0 kB
none matches: 0 entries, 210 kB
TEXT
cmp -s seen.txt known.txt || { echo "the behaviour has changed" >&2; exit 1; }
