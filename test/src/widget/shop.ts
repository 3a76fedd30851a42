import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A page that the shop shows. */
interface ShopPage {
  readonly html: string;
  /** Content-Security-Policy; absent: the page has none. */
  readonly policy?: string;
  /** Other pages may frame it. */
  readonly isFramed?: true;
}

/** A shop of these tests: pages of another origin than the gateway, and the requests it received. */
export class Shop {
  readonly #server: Server;
  readonly #pages = new Map<string, ShopPage>();
  /** Addresses that browsers requested, with their queries. */
  readonly requestedUrls: string[] = [];

  constructor() {
    this.#server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://shop');
      this.requestedUrls.push(request.url ?? '');
      const page: ShopPage = this.#pages.get(pathname) ?? { html: this.#resultOf(request) };
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        ...(!page.isFramed && { 'x-frame-options': 'DENY' }),
        ...(page.policy && { 'content-security-policy': page.policy }),
      });
      response.end(
        `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title>${page.html}</html>`,
      );
    });
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Shows a page under a path; gives its address. */
  show(path: string, page: ShopPage): string {
    this.#pages.set(path, page);
    return this.url + path;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #resultOf({ url = '' }: IncomingMessage): string {
    return url.startsWith('/done') ? `<h1 id="done">${url.replaceAll('&', '&amp;')}</h1>` : '';
  }
}
