import type { FastifyContextConfig } from 'fastify';
import { ENDPOINTS, type Endpoint, tokenRights } from '../../api/openapi/endpoints.js';

/** Paths that begin with a version, and those that may leave it out. */
const API_PATH = /^\/(?:[a-z]+\/)?v\d|^\/checkouts\b/;

/** The endpoints by method and path. */
const DOCUMENTED = byName(ENDPOINTS);

/** A route as it is about to be served. */
interface Served {
  readonly method: string | readonly string[];
  readonly url: string;
  readonly config?: Pick<FastifyContextConfig, 'right'> | undefined;
}

/**
 * Refuses to serve a path of the API that the document does not show, or with other rights than the document states: what clients and
 * tests read there is what a token needs.
 * @throws Error naming the route and the file to change
 */
export function requireDocumented({ method, url, config }: Served): void {
  const right = config?.right;
  if (!API_PATH.test(url) || right === 'refused') return;
  if (right === undefined)
    throw new Error(`route ${url} names no right: give it the right of its callers, or "public"`);
  for (const each of [method].flat()) {
    // The framework makes a HEAD of every GET.
    const name = `${each === 'HEAD' ? 'GET' : each} ${url.replace(/^\/checkouts\b/, '/v1/checkouts')}`;
    const endpoint = DOCUMENTED.get(name.replace(/(?<=\w)\/$/, ''));
    if (!endpoint)
      throw new Error(
        `route ${name} is not documented: add it to gateway/src/kernel/api/openapi/endpoints.ts`,
      );
    const [demanded, stated] = [rightsOf(right), tokenRights(endpoint)].map((rights) =>
      [...rights].sort().join(),
    );
    if (demanded !== stated)
      throw new Error(
        `route ${name} demands ${demanded ? `the right ${demanded}` : 'no right'}, its document states ${stated || 'none'}`,
      );
  }
}

/** Rights of which a route needs one; none: it is for everybody. */
export function rightsOf(right: FastifyContextConfig['right']) {
  if (right === undefined || right === 'public' || right === 'session' || right === 'refused') return [];
  return typeof right === 'object' ? right.anyOf : [right];
}

/** Endpoints by method and path, as the framework names them. */
function byName(endpoints: readonly Endpoint[]): ReadonlyMap<string, Endpoint> {
  const nameOf = ({ method, path }: Endpoint) =>
    `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`;
  return new Map(endpoints.map((endpoint) => [nameOf(endpoint), endpoint]));
}
