import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { oneRun } from '@tillbridge/wire/seams/one-run.js';
import {
  decodeMessage,
  encodeMessage,
  ThreeDSError,
} from '@tillbridge/wire/three-d-secure/messages/codec.js';
import type { Message } from '@tillbridge/wire/three-d-secure/messages/tables.js';
import { SERVER_REFERENCE } from './rules/areq.js';
import type { Directory } from './rules/plan.js';
import type { SessionEvent } from './rules/session.js';

/** Sends a message and gives the answer's text. @throws Error when there is none in time */
type PostMessage = (url: string, text: string) => Promise<string>;

/** What the client works with. */
interface DirectoryClientOptions {
  /** Where the directory server takes messages. */
  readonly url: string;
  readonly post: PostMessage;
  readonly newTransId: () => string;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly onFault: (what: string, error: unknown) => void;
}

/** How long card ranges are used before they are read again, in milliseconds (EMV 3DS section 5.6: at least every 24 hours). */
export const RANGES_LIFETIME_MS = 3_600_000;

/** The directory server, and its last answer on the card ranges that take part. */
export class DirectoryClient {
  readonly #options: DirectoryClientOptions;
  #known: { readonly directory: Directory; readonly atMs: number } | undefined;

  constructor(options: DirectoryClientOptions) {
    this.#options = options;
  }

  /** Who takes part; undefined when the directory server has never answered. */
  async directory(): Promise<Directory | undefined> {
    const { clock } = this.#options;
    if (this.#known && clock.monotonicMs() - this.#known.atMs < RANGES_LIFETIME_MS)
      return this.#known.directory;
    return (await this.#ask()) ?? this.#known?.directory;
  }

  /** What an AReq comes to. */
  async authenticate(areq: Message<'AReq'>): Promise<SessionEvent> {
    const { url, post, onFault } = this.#options;
    const known = { channel: areq.deviceChannel ?? '', category: areq.messageCategory ?? '' };
    let text: string;
    try {
      const request = encodeMessage('AReq', areq);
      text = await post(url, request);
    } catch (error) {
      onFault('no answer to an AReq', error);
      return error instanceof ThreeDSError
        ? { name: 'not-sent', errorCode: error.code, detail: error.detail }
        : { name: 'not-answered', why: 'unreachable' };
    }
    try {
      const message = decodeMessage(text, ['ARes', 'Erro'] as const, known);
      if (message.messageType === 'Erro') onFault('an AReq was refused', new Error(describe(message)));
      return { name: 'answered', message };
    } catch (error) {
      onFault('the answer to an AReq cannot be read', error);
      return { name: 'not-answered', why: 'unreadable' };
    }
  }

  readonly #ask = oneRun(async (): Promise<Directory | undefined> => {
    const { url, post, newTransId, clock, onFault } = this.#options;
    try {
      const preq = encodeMessage('PReq', {
        messageType: 'PReq',
        messageVersion: '2.2.0',
        threeDSServerTransID: newTransId(),
        threeDSServerRefNumber: SERVER_REFERENCE,
      });
      const message = decodeMessage(await post(url, preq), ['PRes', 'Erro'] as const);
      if (message.messageType === 'Erro') throw new Error(describe(message));
      const {
        cardRangeData = [],
        dsStartProtocolVersion = '',
        dsEndProtocolVersion = '',
      } = message as Message<'PRes'>;
      const ranges = cardRangeData.filter(({ actionInd }) => actionInd !== 'D');
      const directory = { ranges, startVersion: dsStartProtocolVersion, endVersion: dsEndProtocolVersion };
      this.#known = { directory, atMs: clock.monotonicMs() };
      return directory;
    } catch (error) {
      onFault('the directory server does not report who takes part', error);
      return undefined;
    }
  });
}

function describe({ errorCode, errorDetail }: Message<'Erro'>): string {
  return `error ${errorCode} (${errorDetail})`;
}
