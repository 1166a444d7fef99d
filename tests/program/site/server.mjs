// Serves a folder on a free port of this machine.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';

const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.txt': 'text/plain' };

/// Gives {address, close}. `headers` are added to each answer.
export async function serve(folder, headers = {}) {
  const server = http.createServer((request, response) => {
    const name = path.join(folder, path.normalize(new URL(request.url, 'http://localhost').pathname.replace(/\/$/, '/index.html')));
    if (!name.startsWith(folder) || !fs.existsSync(name)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'Content-Type': types[path.extname(name)] ?? 'application/octet-stream', 'Last-Modified': fs.statSync(name).mtime.toUTCString(), ...headers,
    });
    fs.createReadStream(name).pipe(response);
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}
