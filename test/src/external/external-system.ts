import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DialectName } from '@tillbridge/wire/iso8583/dialects/dialect-names.js';
import { AcquirerHostClient } from '../clients/acquirer-host-client.js';
import { GatewayClient } from '../clients/gateway-client.js';
import { call, until } from '../clients/http.js';
import { formRequest, type HttpLoad, type LoadResult } from '../load/http-load.js';
import { answeredLoad } from '../load/load-process.js';
import { makeHome } from '../stack/layout.js';
import { seedGateway } from '../stack/parts.js';
import { reservedPorts } from '../stack/reserved-ports.js';
import { type Stack, startStack } from '../stack/stack.js';
import { TourContext } from '../tour/tour-context.js';
import { compareStack, type Disagreement, gatewayDatabase, HOST_CARD } from './compare.js';

/** How long an answer of the host may take, in milliseconds: what a test waits for a reversal. */
const ANSWER_TIMEOUT_MS = 2_000;
/** Lines to the host at once. */
const CONNECTIONS = 4;
/** How long a line may be quiet until the link sends the host an echo test, in milliseconds. */
const ECHO_AFTER_MS = 1_000;
/** How long everything may take to come to its end. */
const SETTLE_MS = 180_000;
/** No throttle: it is the link that is tried. */
const NO_THROTTLE = Object.fromEntries(
  ['PAYMENTS', 'FOLLOW_UPS', 'READS'].flatMap((name) => [
    [`GATEWAY_THROTTLE_${name}_PER_SECOND`, '1000000'],
    [`GATEWAY_THROTTLE_${name}_BURST`, '1000000'],
  ]),
);

/** Wide limits, for cards that decide offline and for those that are deferred. */
const OFFLINE = JSON.stringify({
  limits: { EUR: { perSale: '50.00', sum: '5000.00', perCard: '2500.00' } },
  maxCount: 500,
  maxPerCard: 100,
  deferred: {
    limits: { EUR: { perSale: '25.00', sum: '2500.00' } },
    cards: { NFC_ICC: { none: { EUR: '25.00' } } },
  },
});

/** What a system has in addition to its gateway and the acquirer's host. */
type SystemParts = 'gateway only' | 'with a store';

/** A gateway and an acquirer host as separate processes, over TCP, with a channel of test mode EXTERNAL; perhaps a store that sells. */
export class ExternalSystem {
  readonly #home: string;
  readonly #stack: Stack;
  #tour: TourContext | undefined;

  private constructor(home: string, stack: Stack) {
    this.#home = home;
    this.#stack = stack;
  }

  /** @param dialect of ISO 8583 that both sides speak */
  static async start(
    parts: SystemParts = 'gateway only',
    dialect: DialectName = '1987-binary',
  ): Promise<ExternalSystem> {
    const home = mkdtempSync(join(tmpdir(), 'tillbridge-external-'));
    makeHome(home);
    const ports = await reservedPorts();
    const options = {
      ...{ home, tour: false, external: true, auto: true, offline: OFFLINE, chosen: new Set<never>() },
      ...ports.options,
      ...(parts === 'gateway only' && { only: 'gateway' as const }),
    };
    const stack = await startStack(options, {
      ...{
        ...ports.extras,
        seed: await seedGateway(home, 0, 'EXTERNAL'),
        hosts: false,
        nexo: false,
        terminalCount: 1,
      },
      answerTimeoutMs: 2 * ANSWER_TIMEOUT_MS,
      gatewayEnv: { ...NO_THROTTLE, GATEWAY_RESOLVER_INTERVAL_MS: '250', GATEWAY_LOG_LEVEL: 'error' },
      link: {
        dialect,
        connections: CONNECTIONS,
        answerTimeoutMs: ANSWER_TIMEOUT_MS,
        echoAfterMs: ECHO_AFTER_MS,
        zoneKeyHours: 1,
      },
    });
    return new ExternalSystem(home, stack);
  }

  /** Resolves when the gateway answers, or does again. */
  async isUp(): Promise<void> {
    await until('the gateway', SETTLE_MS, async () => {
      const { status } = await call('GET', `${this.#stack.dev.gateway.url}/healthz`);
      return status === 200 ? true : undefined;
    });
  }

  get client(): GatewayClient {
    const { gateway, merchant } = this.#stack.dev;
    return new GatewayClient(gateway.url, merchant, 'EXTERNAL');
  }

  /** Card payments over so many connections, each of which is answered with 200. */
  pay(load: Pick<HttpLoad, 'connections' | 'warmUpMs' | 'durationMs'>): Promise<LoadResult> {
    const { gateway, merchant } = this.#stack.dev;
    const { entityId, accessToken } = merchant;
    const parameters = { ...HOST_CARD, entityId, amount: '12.00', paymentType: 'DB', testMode: 'EXTERNAL' };
    const requests = [formRequest('/v1/payments', parameters, accessToken)];
    return answeredLoad({ ...load, port: Number(new URL(gateway.url).port), requests });
  }

  get host(): AcquirerHostClient {
    return new AcquirerHostClient(this.#stack.dev.acquirerHost.url);
  }

  /** Its terminals and its agent, where it has a store. */
  get tour(): TourContext {
    this.#tour ??= new TourContext(this.#stack, 'external');
    return this.#tour;
  }

  /** The gateway's database. */
  get database(): string {
    return gatewayDatabase(this.#home);
  }

  /** `kill -9`, and started again at the same ports. */
  async restart(side: 'gateway' | 'acquirerHost'): Promise<void> {
    await this.#stack.part(side)?.kill();
    await this.#stack.restart(side);
  }

  /** Waits until everything has come to its end, and compares the records of both sides. */
  compare(): Promise<Disagreement> {
    return compareStack(this.#stack, this.#home);
  }

  async end(): Promise<void> {
    await this.#stack.stop();
    rmSync(this.#home, { recursive: true, force: true });
  }
}
