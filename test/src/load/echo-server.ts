import { fileURLToPath } from 'node:url';
import Fastify from 'fastify';

/** The baseline of requests: Fastify and nothing of ours. It parses a form and answers with its fields. */
export const ECHO_SERVER = fileURLToPath(import.meta.url);

if (process.argv[1] === ECHO_SERVER) {
  const server = Fastify();
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  server.post('/v1/payments', (request) => request.body);
  server.get('/v1/payments/:id', (request) => request.params);
  await server.listen({ port: 0, host: '127.0.0.1' });
  const address = server.server.address();
  console.log(
    `listening ${JSON.stringify({ port: typeof address === 'object' ? address?.port : undefined })}`,
  );
}
