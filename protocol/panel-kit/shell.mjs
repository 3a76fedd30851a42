// What makes a panel installable: a manifest, an icon, and a worker that keeps its shell.
import { createHash } from 'node:crypto';

/** How long the page waits for its server, in milliseconds: on a cut line nothing is refused, and a browser would wait for minutes. */
const WAIT_MS = 3_000;

const COLOUR = '#1f5fd0';

/** The mark of tillbridge, without a corner that a launcher would cut off. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><rect width="512" height="512" fill="${COLOUR}"/><path d="M128 330h256M166 330v-40a90 90 0 0 1 180 0v40M128 216h256" fill="none" stroke="#fff" stroke-width="30" stroke-linecap="round"/></svg>
`;

/**
 * The files of an installable panel, by name.
 * @param app its name, and a short one below an icon
 * @param files the other files of the panel: the page at `/`, the rest below `/panel/`
 */
export function shellFiles({ name, shortName }, files) {
  const manifest = {
    name,
    short_name: shortName,
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#f1f4f9',
    theme_color: COLOUR,
    icons: [{ src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any maskable' }],
  };
  const paths = Object.keys(files).map((file) => (file === 'index.html' ? '/' : `/panel/${file}`));
  return {
    'manifest.webmanifest': `${JSON.stringify(manifest)}\n`,
    'icon.svg': ICON,
    'service-worker.js': worker(paths, JSON.stringify(files)),
  };
}

/**
 * The worker keeps the page, its script and its style sheet, and nothing else: what the agent answers is never kept. The page comes from the
 * agent while it is there, so that an update is used at once.
 */
function worker(paths, content) {
  const cache = `shell-${createHash('sha256').update(content).digest('hex').slice(0, 12)}`;
  return `const CACHE = ${JSON.stringify(cache)};
const FILES = ${JSON.stringify([...paths, '/icon.svg', '/manifest.webmanifest'])};
self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});
self.addEventListener('activate', (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => self.clients.claim()));
});
self.addEventListener('fetch', (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.method !== 'GET' || origin !== location.origin || !FILES.includes(pathname)) return;
  const kept = () => caches.match(pathname, { cacheName: CACHE });
  const page = () => {
    const sent = fetch(event.request);
    const late = new Promise((resolve) => setTimeout(resolve, ${WAIT_MS})).then(kept).then((page) => page ?? sent);
    return Promise.race([sent, late]).catch(() => kept().then((page) => page ?? Response.error()));
  };
  event.respondWith(pathname === '/' ? page() : kept().then((file) => file ?? fetch(event.request)));
});
`;
}
