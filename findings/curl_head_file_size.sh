#!/bin/sh
# curl 7.88 refuses a HEAD request by --max-filesize (CURLOPT_MAXFILESIZE_LARGE), although no byte of the file would come: it
# compares the Content-Length of the answer with the limit, and fails with 63. libcurl's progress function is told the same number
# as what is to be downloaded. So a program that limits what it fetches, and asks with HEAD how large files are, gets an error for
# each that is larger than its limit: it must lift the limit for these requests.
set -eu
folder=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
server=
cd "$folder"
apt-get download -q curl=7.88.1-10+deb12u15 libcurl4=7.88.1-10+deb12u15 libnghttp2-14 librtmp1 libssh2-1 libpsl5 libldap-2.5-0 \
  libbrotli1 >apt.txt 2>&1 || { cat apt.txt >&2; exit 1; }
for package in *.deb; do dpkg -x "$package" root; done

cat > serve.py <<'PYTHON'
import http.server

class Answer(http.server.BaseHTTPRequestHandler):
    def do_HEAD(self):
        self.send_response(200)
        self.send_header("Content-Length", "3000000000")
        self.end_headers()

    def log_message(self, *ignored):
        pass

server = http.server.HTTPServer(("127.0.0.1", 0), Answer)
print(server.server_port, flush=True)
server.serve_forever()
PYTHON
/usr/bin/python3 serve.py > port.txt &
server=$!
while [ ! -s port.txt ]; do sleep 0.1; done

export LD_LIBRARY_PATH="$folder/root/usr/lib/x86_64-linux-gnu"
ask() {
  status=0
  root/usr/bin/curl --silent --show-error --head --output headers.txt "$@" "http://127.0.0.1:$(cat port.txt)/file" 2>error.txt || status=$?
  echo "$status $(cat error.txt)"
}
{
  root/usr/bin/curl --version | sed 's/^\(curl [0-9.]*\).*/version: \1/; 1!d'
  echo "without a limit: $(ask)"
  echo "of 1000 bytes: $(ask --max-filesize 1000)"
} | tee seen.txt
echo 'expected: 0 in both'

cat > known.txt <<'TEXT'
version: curl 7.88.1
without a limit: 0 
of 1000 bytes: 63 curl: (63) Maximum file size exceeded
TEXT
if ! cmp -s known.txt seen.txt; then
  echo 'the behaviour has changed' >&2
  exit 1
fi
