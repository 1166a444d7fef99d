#!/bin/sh
# yaml-cpp 0.7 of Debian 12 writes a text that was quoted in its file without quotes, if that is a valid plain scalar, whatever else
# it would be then: YAML::Dump(YAML::Load("version: '1.10'")) is `version: 1.10`, which is the number 1.1 for the next reader. It does
# think of null: '~' and 'null' keep their quotes. So a spack.yaml that is read and written back has other versions. Node::Tag() is
# "!" for what was quoted, so that a program can ask, and write such a node with YAML::DoubleQuoted.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q libyaml-cpp0.7=0.7.0+dfsg-8+b1 libyaml-cpp-dev=0.7.0+dfsg-8+b1 python3-yaml=6.0-3+b2 libyaml-0-2 >apt.txt 2>&1 ||
  { cat apt.txt >&2; exit 1; }
for package in *.deb; do dpkg -x "$package" root; done

cat > dump.cpp <<'CPP'
#include <iostream>
#include <yaml-cpp/yaml.h>
int main() {
    std::cout << YAML::Dump(YAML::Load(std::string(std::istreambuf_iterator<char>(std::cin), {}))) << "\n";
}
CPP
libraries=$(dirname "$(find root -name 'libyaml-cpp.so.0.7')")
c++ -w dump.cpp -o dump -Iroot/usr/include -L"$libraries" -lyaml-cpp
export LD_LIBRARY_PATH="$libraries" PYTHONPATH=root/usr/lib/python3/dist-packages
cat > spack.yaml <<'YAML'
spack: {packages: {zlib: {version: ['1.10', "1_2", '2024-01-02'], buildable: 'true'}, none: ['~', 'null', '']}}
YAML
./dump < spack.yaml > written.yaml
{
  echo "written: $(cat written.yaml)"
  for file in spack.yaml written.yaml; do
    /usr/bin/python3 -c 'import sys, yaml; print(sys.argv[1] + ":", yaml.safe_load(open(sys.argv[1])))' $file
  done
} | tee seen.txt
echo 'expected: what is written is read as what was read'

cat > known.txt <<'TEXT'
written: spack: {packages: {zlib: {version: [1.10, 1_2, 2024-01-02], buildable: true}, none: ["~", "null", ""]}}
spack.yaml: {'spack': {'packages': {'zlib': {'version': ['1.10', '1_2', '2024-01-02'], 'buildable': 'true'}, 'none': ['~', 'null', '']}}}
written.yaml: {'spack': {'packages': {'zlib': {'version': [1.1, 12, datetime.date(2024, 1, 2)], 'buildable': True}, 'none': ['~', 'null', '']}}}
TEXT
cmp -s seen.txt known.txt || { echo "the behaviour has changed" >&2; exit 1; }
