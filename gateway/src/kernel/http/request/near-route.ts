import { editDistance } from '@tillbridge/wire/text/edit-distance.js';
import { ENDPOINTS } from '../../api/openapi/endpoints.js';

/** Longest path for which a near one is looked for. */
const MAX_LENGTH = 120;
/** Letters by which the parts of a path may differ from those of a near one: of one part, and of all. */
const MAX_EDITS = { part: 2, shortPart: 1, all: 3 } as const;
/** A part shorter than this is a short one. */
const SHORT_PART = 4;

/** Documented paths, each once, with their methods. */
const ROUTES = documentedRoutes();

interface Route {
  readonly path: string;
  readonly parts: readonly string[];
  readonly methods: ReadonlySet<string>;
}

/** The documented route that a request may have meant, such as `POST /v1/payments/{id}`; undefined where none is near. Pure. */
export function nearRoute(method: string, url: string): string | undefined {
  const [path = ''] = url.split(/[?#]/, 1);
  if (path.length > MAX_LENGTH) return undefined;
  const parts = path.split('/').filter((part) => part !== '');
  let best: { readonly route: Route; readonly distance: number } | undefined;
  for (const route of ROUTES) {
    // The version may have been left out.
    const distance = Math.min(distanceOf(parts, route.parts), 1 + distanceOf(['v1', ...parts], route.parts));
    const isNearer = best === undefined || distance < best.distance;
    const isAsNear = best?.distance === distance && takesMore(route, best.route, method);
    if (distance <= MAX_EDITS.all && (isNearer || isAsNear)) best = { route, distance };
  }
  if (!best) return undefined;
  const [first = method] = best.route.methods;
  return `${best.route.methods.has(method) ? method : first} ${best.route.path}`;
}

function takesMore(route: Route, than: Route, method: string): boolean {
  return route.methods.has(method) && !than.methods.has(method);
}

/** Letters by which the paths differ; infinite where they are not alike. */
function distanceOf(sent: readonly string[], parts: readonly string[]): number {
  if (sent.length !== parts.length) return Number.POSITIVE_INFINITY;
  let sum = 0;
  for (const [at, part] of parts.entries()) {
    const given = sent[at] ?? '';
    if (part.startsWith('{')) continue;
    const limit = part.length < SHORT_PART ? MAX_EDITS.shortPart : MAX_EDITS.part;
    sum += editDistance(given.toLowerCase(), part.toLowerCase(), limit) ?? Number.POSITIVE_INFINITY;
    if (sum > MAX_EDITS.all) return Number.POSITIVE_INFINITY;
  }
  return sum;
}

function documentedRoutes(): readonly Route[] {
  const methods = new Map<string, Set<string>>();
  for (const { method, path } of ENDPOINTS)
    methods.set(path, new Set([...(methods.get(path) ?? []), method.toUpperCase()]));
  return [...methods].map(([path, taken]) => {
    const parts = path.split('/').filter((part) => part !== '');
    return { path, parts, methods: taken };
  });
}
