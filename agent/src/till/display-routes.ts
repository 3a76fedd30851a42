import { securityEvent } from '@tillbridge/platform/log/security-events.js';
import type { Static } from '@tillbridge/platform/schema/type.js';
import type { FastifyInstance } from 'fastify';
import { SIGN_IN_CODE_LIMITS, type SignInCodes } from '../access/sign-in-codes.js';
import type { CustomerDisplay } from '../display/customer-display.js';
import type { CustomerDisplays } from '../display/customer-displays.js';
import type { AgentLog } from '../log/log.js';
import type { StoreConfig } from '../sale/receipts/store.js';
import { SaleError, type SaleService } from '../sale/service/sale-service.js';
import { DISPLAY_ANSWER, DISPLAY_CODE_ANSWER, responses } from './answers.js';
import { DISPLAY_CODE_BODY, TERMINAL_PARAMS } from './bodies.js';
import { DISPLAY_PATH, demand } from './sign-in.js';
import { TillError } from './till-error.js';

/** Where the page of customer displays stands. */
export const DISPLAY_PAGE = '/display';

/** `GET /v1/display`. */
export interface DisplayAnswer extends CustomerDisplay {
  /** Of the terminal; empty for one that is not configured any more. */
  readonly deviceType: string;
  readonly store: Pick<StoreConfig, 'language' | 'name'>;
}

/** What the routes of customer displays work with. */
interface DisplayDeps {
  readonly service: SaleService;
  readonly displays: CustomerDisplays;
  readonly codes: SignInCodes;
  readonly store: StoreConfig;
  readonly log: AgentLog;
}

/** Routes of customer displays: what one shows, and the code by which a till signs it in. */
export function displayRoutes(server: FastifyInstance, deps: DisplayDeps): void {
  const { service, displays, codes, store, log } = deps;
  const shownStore = { language: store.language, ...(store.name !== undefined && { name: store.name }) };
  // A till's program has events: the reference leaves it out.
  const hidden: object = { hide: true };
  server.get(
    DISPLAY_PATH,
    {
      schema: {
        ...hidden,
        summary: 'What the customer in front of a terminal sees. For the agent’s own page.',
        response: responses(DISPLAY_ANSWER),
      },
    },
    async ({ caller: { display } }): Promise<DisplayAnswer> => {
      if (display === undefined)
        throw new TillError(
          'not-authorized',
          'only a customer display may request this: sign it in by its code',
        );
      const terminal = service.terminals().find(({ id }) => id === display);
      return { ...displays.view(display), deviceType: terminal?.deviceType ?? '', store: shownStore };
    },
  );

  server.post<{ Params: Static<typeof TERMINAL_PARAMS>; Body: Static<typeof DISPLAY_CODE_BODY> }>(
    '/v1/terminals/:id/display-code',
    {
      schema: {
        tags: ['terminals'],
        summary:
          'A one-time code that signs a customer display of this terminal in, soon. It can sell nothing.',
        params: TERMINAL_PARAMS,
        body: DISPLAY_CODE_BODY,
        response: responses(DISPLAY_CODE_ANSWER),
      },
    },
    async (request, reply) => {
      demand(request, 'sell');
      const { id } = request.params;
      if (!service.terminals().some((terminal) => terminal.id === id))
        throw new SaleError('unknown-terminal', `no terminal ${id}: GET /v1/terminals lists them`);
      const { till } = request.caller;
      log.warn(
        { ...securityEvent('sign-in-code'), till, display: id },
        'a code was made that signs a customer display in',
      );
      reply.header('cache-control', 'no-store');
      const code = codes.issue({ ...(till !== undefined && { till }), display: id });
      return {
        ...{ code, expiresInSeconds: SIGN_IN_CODE_LIMITS.lifetimeMs / 1_000 },
        ...(request.body?.page !== undefined && (await addressOf(request.body.page, code))),
      };
    },
  );
}

/** The code stands behind `#`: it reaches no server and no log. */
async function addressOf(page: string, code: string) {
  const address = `${page.replace(/\/$/, '')}${DISPLAY_PAGE}#code=${code}`;
  const qrCode = await import('qrcode');
  const svg = await qrCode.toString(address, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 });
  return { address, picture: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` };
}
