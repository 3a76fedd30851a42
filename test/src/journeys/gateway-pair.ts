import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testDatabaseUrl } from '@tillbridge/gateway/kernel/store/testing/postgres-server.js';
import { GatewayNodes } from '../stack/gateway-nodes.js';
import type { PartProcess } from '../stack/part-process.js';

/** An answer of a gateway; what of it there is, is for the caller to know. */
export interface Answer<Body = PaymentAnswer> {
  readonly status: number;
  readonly body: Body;
}

/** What answers about payments have. */
export interface PaymentAnswer {
  readonly id: string;
  readonly result: { readonly code: string };
}

/** What a request may have. */
export interface SendOptions {
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Two gateways on one PostgreSQL database, and the development merchant, who sends requests to either. */
export class GatewayPair {
  readonly gateways: GatewayNodes;
  readonly folder: string;
  readonly databaseUrl: string;
  readonly nodes: PartProcess[] = [];

  private constructor(folder: string, databaseUrl: string, gateways: GatewayNodes) {
    this.folder = folder;
    this.databaseUrl = databaseUrl;
    this.gateways = gateways;
  }

  /** Starts both. @param env variables of both, which may depend on the folder of their homes */
  static async start(name: string, env: (folder: string) => NodeJS.ProcessEnv): Promise<GatewayPair> {
    const folder = mkdtempSync(join(tmpdir(), name));
    const databaseUrl = await testDatabaseUrl();
    const gateways = new GatewayNodes(folder, { DATABASE_URL: databaseUrl, ...env(folder) });
    const pair = new GatewayPair(folder, databaseUrl, gateways);
    pair.gateways.add('b');
    pair.nodes.push(...(await Promise.all([pair.gateways.start('a'), pair.gateways.start('b')])));
    return pair;
  }

  /** Ends both and removes their homes. */
  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
    rmSync(this.folder, { recursive: true });
  }

  /** Where a gateway listens. */
  url(node: number): string {
    return String(this.nodes[node]?.listening.url);
  }

  /** Sends a request to a gateway as the merchant. */
  async send<Body = PaymentAnswer>(
    node: number,
    method: 'GET' | 'POST',
    path: string,
    options: SendOptions = {},
  ): Promise<Answer<Body>> {
    const { merchant } = this.gateways.seed;
    const form = new URLSearchParams({ entityId: merchant.entityId, ...options.form });
    const url = `${this.url(node)}${path}`;
    const response = await fetch(method === 'GET' ? `${url}?${form}` : url, {
      method,
      headers: {
        authorization: `Bearer ${merchant.accessToken}`,
        connection: 'close',
        ...options.headers,
      },
      ...(method === 'POST' && { body: form }),
    });
    return { status: response.status, body: (await response.json()) as Body };
  }

  /** What the acquirer has recorded of an amount, as one of the gateways shows it. */
  async recorded(node: number, amount: string): Promise<readonly { readonly kind: string }[]> {
    const headers = { authorization: `Bearer ${this.gateways.seed.simulatorToken}`, connection: 'close' };
    const response = await fetch(`${this.url(node)}/v1/simulator/transactions`, { headers });
    const rows = (await response.json()) as readonly { readonly kind: string; readonly amount: string }[];
    return rows.filter((row) => row.amount === amount);
  }
}
