import { runInNewContext } from 'node:vm';
import { beforeEach, expect, it, vi } from 'vitest';

type Handler = (event: {
  readonly request: { readonly url: string; readonly method: string };
  respondWith(answer: Promise<unknown>): void;
}) => void;

const ORIGIN = 'http://agent.local:7070';

let answer: () => Promise<string>;
let handlers: Map<string, Handler>;

/** The worker of a panel in a browser that keeps `kept:PATH` for each of its files. */
beforeEach(async () => {
  const { shellFiles } = (await import(new URL('../shell.mjs', import.meta.url).href)) as {
    shellFiles(app: object, files: object): Readonly<Record<string, string>>;
  };
  const files = shellFiles({ name: 'A', shortName: 'A' }, { 'index.html': '<p>', 'panel-1.js': '1' });
  handlers = new Map();
  runInNewContext(files['service-worker.js'] ?? '', {
    self: { addEventListener: (type: string, handler: Handler) => handlers.set(type, handler) },
    location: { origin: ORIGIN },
    caches: { match: async (path: string) => `kept:${path}` },
    fetch: () => answer(),
    ...{ URL, Response, setTimeout: (done: () => void, ms: number) => setTimeout(done, ms) },
  });
});

/** What the page gets; undefined: the browser asks the server itself. */
async function load(path: string, method = 'GET'): Promise<unknown> {
  let answered: Promise<unknown> | undefined;
  handlers.get('fetch')?.({
    request: { url: `${ORIGIN}${path}`, method },
    respondWith: (given) => {
      answered = given;
    },
  });
  return answered;
}

it('takes the page from the server while it is there, and the kept one while it is away', async () => {
  answer = async () => 'new';
  expect(await load('/')).toBe('new');
  answer = () => Promise.reject(new TypeError('refused'));
  expect(await load('/')).toBe('kept:/');
});

it('takes the kept page where the server does not answer: a cut line refuses nothing', async () => {
  vi.useFakeTimers();
  answer = () => new Promise(() => undefined);
  const shown = load('/');
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await shown).toBe('kept:/');
  vi.useRealTimers();
});

it('keeps nothing that the server answers, and no file that is not of the shell', async () => {
  for (const path of ['/v1/sales', '/panel/panel-2.js', '/docs']) expect(await load(path)).toBeUndefined();
  expect(await load('/panel/panel-1.js', 'POST')).toBeUndefined();
  expect(await load('/panel/panel-1.js')).toBe('kept:/panel/panel-1.js');
});
