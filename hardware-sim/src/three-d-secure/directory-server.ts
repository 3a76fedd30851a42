import {
  AUTHENTICATION_COURSES,
  findAuthenticationCourse,
} from '@tillbridge/wire/payment/authentication-test-cards.js';
import { present } from '@tillbridge/wire/present.js';
import type { CardRange } from '@tillbridge/wire/three-d-secure/messages/card-range.js';
import {
  answerMessage,
  decodeMessage,
  encodeMessage,
  ThreeDSError,
} from '@tillbridge/wire/three-d-secure/messages/codec.js';
import type { Message } from '@tillbridge/wire/three-d-secure/messages/tables.js';
import { testFlowOf } from '@tillbridge/wire/three-d-secure/test-flow.js';
import { BoundedMap } from './bounded-map.js';

/** Reference number of the simulated directory server. */
const REFERENCE = 'TILLBRIDGE-SIM-DS';
/** Transactions whose 3DS Server is remembered. */
const MAX_TRANSACTIONS = 10_000;

/** What the directory server works with. */
interface DirectoryServerDeps {
  /** Where it is reached itself; the ACS sends its results there. */
  readonly url: string;
  /** Where the access control server takes AReqs. */
  readonly acsUrl: string;
  /** What browsers are sent to for the method call. */
  readonly methodUrl: string;
  /** Sends a message over HTTP; the answer's body. */
  readonly post: (url: string, body: string) => Promise<string>;
  readonly newId: () => string;
}

interface Transaction {
  readonly serverUrl: string;
  readonly channel: string | undefined;
  readonly category: string | undefined;
}

/** The simulated scheme: knows who takes part, and passes messages between 3DS Server and access control server. */
export class DirectoryServer {
  readonly #deps: DirectoryServerDeps;
  readonly #transactions = new BoundedMap<Transaction>(MAX_TRANSACTIONS);
  readonly #ranges: readonly CardRange[];

  constructor(deps: DirectoryServerDeps) {
    this.#deps = deps;
    this.#ranges = cardRanges(deps.methodUrl);
  }

  /** The answer to a message: PRes, ARes, RRes or Erro. Nothing answers an Erro. */
  take(text: string): Promise<string> {
    const expected = ['PReq', 'AReq', 'RReq', 'Erro'] as const;
    const unreachable = () => new ThreeDSError('405', 'the receiver is not there');
    return answerMessage(text, expected, 'D', (message) => this.#answer(text, message), unreachable);
  }

  #answer(text: string, message: Message<'PReq' | 'AReq' | 'RReq' | 'Erro'>): string | Promise<string> {
    if (message.messageType === 'Erro') return '';
    if (message.messageType === 'PReq') return this.#ranged(message as Message<'PReq'>);
    if (message.messageType === 'AReq') return this.#authenticate(message as Message<'AReq'>);
    return this.#result(text, message as Message<'RReq'>);
  }

  #ranged({ threeDSServerTransID, messageVersion }: Message<'PReq'>): string {
    return encodeMessage('PRes', {
      messageType: 'PRes',
      ...present({ messageVersion, threeDSServerTransID }),
      dsTransID: this.#deps.newId(),
      dsStartProtocolVersion: '2.1.0',
      dsEndProtocolVersion: '2.2.0',
      serialNum: '1',
      cardRangeData: this.#ranges,
    });
  }

  async #authenticate(areq: Message<'AReq'>): Promise<string> {
    const { url, acsUrl, post, newId } = this.#deps;
    const { deviceChannel: channel, messageCategory: category, threeDSServerURL: serverUrl = '' } = areq;
    const takesPart = findAuthenticationCourse(areq.acctNumber ?? '')?.behaviour || testFlowOf(areq);
    if (!takesPart) throw new ThreeDSError('305', 'acctNumber', 'AReq');
    const dsTransID = newId();
    this.#transactions.set(dsTransID, { serverUrl, channel, category });
    // The device information is deciphered here for the ACS; in the simulation it is not enciphered for this server.
    const { sdkEncData, ...rest } = areq;
    const forwarded = encodeMessage('AReq', {
      ...rest,
      ...present({ deviceInfo: sdkEncData }),
      dsTransID,
      dsReferenceNumber: REFERENCE,
      dsURL: url,
    });
    const answer = await post(acsUrl, forwarded);
    const known = present({ channel, category });
    const message = decodeMessage(answer, ['ARes', 'Erro'] as const, known);
    if (message.messageType === 'Erro') return answer;
    return encodeMessage('ARes', { ...(message as Message<'ARes'>), dsReferenceNumber: REFERENCE }, known);
  }

  async #result(text: string, { dsTransID = '' }: Message<'RReq'>): Promise<string> {
    const transaction = this.#transactions.get(dsTransID);
    if (!transaction) throw new ThreeDSError('301', 'dsTransID', 'RReq');
    const answer = await this.#deps.post(transaction.serverUrl, text);
    decodeMessage(answer, ['RRes', 'Erro'] as const, present(transaction));
    return answer;
  }
}

/** The published test cards as ranges of one card each. */
function cardRanges(threeDSMethodURL: string): readonly CardRange[] {
  return AUTHENTICATION_COURSES.filter(({ behaviour }) => behaviour).flatMap(({ methodCall, pans }) =>
    pans.map((pan) => ({
      startRange: pan,
      endRange: pan,
      acsStartProtocolVersion: '2.1.0',
      acsEndProtocolVersion: '2.2.0',
      acsInfoInd: ['01', '02', '03'],
      ...(methodCall && { threeDSMethodURL }),
    })),
  );
}
