import { enrolmentRequest } from '@tillbridge/wire/bridge/enrolment.js';
import { NO_TLS } from '@tillbridge/wire/bridge/gateway-pins.js';
import {
  type Bodies,
  type BodyKind,
  type Challenge,
  EnrolmentPurpose,
  OfflineKind,
  SaleType,
} from '@tillbridge/wire/bridge/messages.js';
import { fromHex } from '@tillbridge/wire/bytes.js';
import { chipData, encipheredAccount, encipheredPinOf } from './cards.js';
import { DEVICES, type IdKind, KSNS, MESSAGES, randomHex } from './id-kinds.js';
import type { Stranger } from './stranger.js';

/** What a field of a message takes: kinds of ids, or nothing that names anything, and then what it is. */
type Field = readonly IdKind[] | string;

/** Every field of the bridge by the message that declares it. A new one is a line here. */
export const WIRE_FIELDS: Readonly<Record<string, Field>> = {
  'Envelope.id': MESSAGES,
  'Envelope.terminalId': ['terminal'],
  'Hello.agentId': ['agent'],
  'Hello.bootId': ['bootId'],
  'StreamPosition.terminalId': ['terminal'],
  'TerminalStatus.terminalId': ['terminal'],
  'Exposure.terminalId': ['terminal'],
  'EnrolmentRequest.codeId': ['enrolmentCode'],
  'EnrolmentRequest.agentId': ['agent'],
  'EnrolmentAnswer.agentId': ['agent'],
  'EnrolmentAnswer.entityId': ['channel'],
  'EnrolmentAnswer.terminals': ['terminal'],
  'StoreTodo.terminalId': ['terminal'],
  'StorePolicy.agentId': ['agent'],
  'StorePolicy.entityId': ['channel'],
  'AuthorizationRequest.reference': ['tillReference'],
  'AuthorizationRequest.originalMessageId': MESSAGES,
  'PosData.terminalId': ['terminal'],
  'PosData.deviceId': DEVICES,
  'PosData.iccData': ['cardCounter'],
  'Enciphered.ksn': KSNS,
  'AuthorizationAnswer.messageId': MESSAGES,
  'Outcome.paymentId': ['authorizedPayment'],
  'StatusRequest.messageId': MESSAGES,
  'StatusAnswer.messageId': MESSAGES,
  'Reversal.originalMessageId': MESSAGES,
  'Reversal.reference': ['tillReference'],
  'CancelIfUnseen.originalMessageId': MESSAGES,
  'CancelIfUnseen.reference': ['tillReference'],
  'OfflineRecord.reference': ['tillReference'],
  'Capture.originalMessageId': MESSAGES,
  'Capture.reference': ['tillReference'],
  'VoiceAuthorization.originalMessageId': MESSAGES,
  'VoiceAuthorization.reference': ['tillReference'],
  'Acknowledgement.messageId': MESSAGES,
  'Parked.messageId': MESSAGES,
  'Command.reference': ['tillReference'],
  'CommandResult.commandId': ['agentCommand'],
  // Text, bytes and flags.
  'Hello.software': 'a text',
  'TerminalStatus.deviceType': 'a value of a list',
  'TerminalStatus.state': 'a value of a list',
  'Hello.channel': 'of this connection',
  'EnrolmentRequest.channel': 'of this connection',
  'Goodbye.reason': 'a text',
  'Money.currency': 'a value of a list',
  'OfflineLimit.currency': 'a value of a list',
  'PosData.deviceType': 'a value of a list',
  'PosData.entryMode': 'a value of a list',
  'PosData.panSequenceNumber': 'of the card',
  'PosData.expiry': 'of the card',
  'Enciphered.data': 'account data or PIN',
  'Outcome.resultCode': 'a value of a list',
  'Outcome.description': 'a text',
  'Outcome.approvalCode': 'of the issuer',
  'Outcome.responseCode': 'a value of a list',
  'Outcome.iccDataResponse': 'of the issuer',
  'Outcome.brand': 'a value of a list',
  'Reversal.reason': 'a text',
  'Reversal.iccData': 'of the card, kept with the message',
  'VoiceAuthorization.approvalCode': 'of the issuer',
  'SaleReportRow.terminalId': 'shown with the sale of the command alone',
  'SaleReportRow.step': 'a text',
  'SaleReportRow.description': 'a text',
  'SaleReportRow.till': 'a text',
  'SaleReportRow.messageId': 'shown with the sale of the command alone',
  'SaleReportEmv.aid': 'of the card',
  'SaleReportEmv.tvr': 'of the card',
  'SaleReportEmv.tsi': 'of the card',
  'SaleReportEmv.acType': 'a value of a list',
  'SaleReportEmv.cvm': 'of the card',
  'SaleReportEmv.arc': 'of the card',
  'SaleReportFrame.terminalId': 'shown with the sale of the command alone',
  'SaleReportFrame.from': 'a value of a list',
  'SaleReportFrame.head': 'a part of a frame',
  'CommandResult.reasonCode': 'a value of a list',
  'CommandResult.reason': 'a text',
  'CommandResult.saleState': 'a value of a list',
  'CommandResult.saleOutcome': 'a value of a list',
  'Parked.reasonCode': 'a value of a list',
  'Parked.reason': 'a text',
  'StoreTodo.reason': 'a text',
  'StorePolicy.signature': 'a proof',
  'Challenge.nonce': 'random',
  'Hello.nonce': 'random',
  'Hello.signature': 'a proof',
  'JournalHead.hash': 'of the agent’s own journal',
  'JournalTree.hash': 'of the agent’s own journal',
  'JournalTree.root': 'of the agent’s own journal',
  'JournalTree.consistency': 'of the agent’s own journal',
  'CountersignedHead.hash': 'of the agent’s own journal',
  'CountersignedHead.root': 'of the agent’s own journal',
  'CountersignedHead.key': 'of the gateway',
  'CountersignedHead.signature': 'a proof',
  'Heartbeat.journalHash': 'of the agent’s own journal',
  'GatewayPins.identityKeys': 'of the gateway',
  'GatewayPins.tlsPins': 'of the gateway',
  'GatewayPins.authorities': 'of the gateway',
  'Welcome.signature': 'a proof',
  'EnrolmentRequest.publicKey': 'the sender’s own',
  'EnrolmentRequest.nonce': 'random',
  'EnrolmentRequest.codeSignature': 'a proof',
  'EnrolmentRequest.keySignature': 'a proof',
  'EnrolmentAnswer.signature': 'a proof',
};

/** Types of fields that name nothing: numbers, flags and lists of values. Sequences and generations count within one agent. */
export const COUNTS: readonly string[] = ['uint32', 'uint64', 'sint64', 'bool'];

/** A body in the making: bytes as hex, and whatever an id may stand in. */
type Draft = Readonly<Record<string, unknown>>;

/** What is sent for one kind of body, in one way or several. */
interface MessageCases {
  /** In place of the Hello, in the stream of the stranger's terminal, or outside the streams. */
  readonly sent: 'first' | 'stream' | 'live';
  readonly drafts: readonly ((own: Stranger) => Draft)[];
  /** It gets no answer: what comes is that of a heartbeat behind it. */
  readonly isUnanswered?: true;
}

type Drafts = MessageCases['drafts'];
const first = (...drafts: Drafts): MessageCases => ({ sent: 'first', drafts });
const stream = (...drafts: Drafts): MessageCases => ({ sent: 'stream', drafts });
const live = (...drafts: Drafts): MessageCases => ({ sent: 'live', drafts });

const EUROS = { minor: 1_234, currency: 'EUR' };
const PINS = { identityKeys: [], tlsPins: [], authorities: [] };
const HEAD = { row: 0, hash: '' };

const reference = () => `sale-${randomHex(16)}`;
const original = () => `m-${randomHex(32)}`;
const stateOf = (terminalId: string) => ({ terminalId, deviceType: 'GERTEC_PPC930', state: 'ready' });

const pos = ({ terminal, device, accountKsn, pinKsn, counter }: Stranger): Draft => ({
  terminalId: terminal,
  deviceType: 'GERTEC_PPC930',
  deviceId: device,
  entryMode: 'ICC',
  panSequenceNumber: '01',
  transactionSequenceNumber: 1,
  pinEntryAvailable: true,
  iccData: chipData(counter),
  expiry: '3112',
  sred: { ksn: accountKsn(1), data: '' },
  pin: { ksn: pinKsn(1), data: '' },
});

const authorization = (own: Stranger): Draft => ({
  reference: reference(),
  type: SaleType.SALE,
  amount: EUROS,
  pos: pos(own),
  originalMessageId: '',
  journaledAtMs: Date.now(),
  partialAllowed: false,
});

const record = (own: Stranger): Draft => ({
  kind: OfflineKind.DEFERRED,
  reference: reference(),
  type: SaleType.SALE,
  amount: EUROS,
  pos: pos(own),
  decidedAtMs: Date.now(),
  ageMs: 1,
  expired: false,
});

const outcome = (): Draft => ({
  disposition: 1,
  paymentId: randomHex(32),
  resultCode: '000.100.110',
  description: '',
  amount: EUROS,
  approvalCode: '',
  responseCode: '00',
  iccDataResponse: '',
  brand: 'VISA',
});

const followUp = (): Draft => ({ originalMessageId: original(), reference: reference(), amount: EUROS });

const heartbeat = ({ terminal }: Stranger): Draft => ({
  queueDepth: 0,
  parked: 0,
  oldestAgeSeconds: 0,
  exposure: [{ terminalId: terminal, sum: EUROS, count: 1 }],
  terminals: [stateOf(terminal)],
  timeMs: Date.now(),
  journalRow: 0,
  journalHash: '',
});

/** Every body of the bridge, also those that an agent may not send. A new one is a line here. */
export const MESSAGE_CASES: Readonly<Record<BodyKind, MessageCases>> = {
  hello: first(({ agent, terminal }) => ({
    agentId: agent,
    bootId: `boot-${randomHex(16)}`,
    streams: [{ terminalId: terminal, nextSequence: 1 }],
    terminals: [stateOf(terminal)],
  })),
  enrolmentRequest: first(() => ({ codeId: randomHex(10), agentId: '' })),
  authorizationRequest: live(
    authorization,
    (own) => ({ ...authorization(own), type: SaleType.PREAUTHORIZATION }),
    (own) => ({ ...authorization(own), type: SaleType.REFUND, originalMessageId: original() }),
  ),
  statusRequest: live(() => ({ messageId: original() })),
  heartbeat: live(heartbeat),
  reversal: stream(() => ({ ...followUp(), reason: 'no answer', iccData: '' })),
  cancelIfUnseen: stream(() => ({ originalMessageId: original(), reference: reference() })),
  offlineRecord: stream(
    record,
    (own) => ({ ...record(own), kind: OfflineKind.CARD_APPROVED }),
    (own) => ({ ...record(own), expired: true }),
  ),
  capture: stream(() => ({ ...followUp(), final: false })),
  voiceAuthorization: stream(() => ({ ...followUp(), approvalCode: 'A1B2C3', type: SaleType.SALE })),
  commandResult: {
    ...live((own) => ({
      commandId: original(),
      state: 1,
      status: heartbeat(own),
      reasonCode: '',
      reason: '',
      saleState: '',
      saleOutcome: '',
    })),
    isUnanswered: true,
  },
  goodbye: live(() => ({ code: 0, reason: '', retryAfterMs: 0 })),
  // The gateway's own.
  challenge: live(() => ({ nonce: '', versionMin: 1, versionMax: 1 })),
  welcome: live(({ terminal }) => ({
    version: 1,
    epoch: 1,
    timeMs: 1,
    heartbeatIntervalMs: 1,
    streams: [{ terminalId: terminal, nextSequence: 1 }],
    liveCredits: 1,
    backlogCredits: 1,
    journalHead: HEAD,
    pins: PINS,
    signature: '',
  })),
  storePolicy: live(({ agent, channel }) => ({
    agentId: agent,
    entityId: channel,
    version: 1,
    timeMs: 1,
    unlinkedRefunds: true,
    ceilings: [EUROS],
    signature: '',
  })),
  heartbeatAnswer: live(({ terminal }) => ({
    ...{ timeMs: 1, journalHead: HEAD, journalVerdict: 1 },
    todos: { todos: [{ terminalId: terminal, sinceMs: 1, reason: '' }] },
  })),
  enrolmentAnswer: live(({ agent, channel, terminal }) => ({
    agentId: agent,
    generation: 1,
    entityId: channel,
    terminals: [terminal],
    pins: PINS,
    signature: '',
  })),
  authorizationAnswer: live(() => ({ messageId: original(), outcome: outcome() })),
  statusAnswer: live(() => ({ messageId: original(), state: 3, outcome: outcome() })),
  acknowledgement: live(() => ({ messageId: original(), outcome: outcome() })),
  command: live(() => ({ action: 4, reference: reference() })),
  parked: live(() => ({ messageId: original(), reasonCode: 'malformed', reason: '' })),
};

const BYTES = ['ksn', 'data', 'iccData', 'iccDataResponse', 'journalHash', 'hash', 'nonce', 'signature'];

/** The body of a draft: account data and PIN under their key serial numbers, texts of bytes as bytes. */
export function bodyOf<K extends BodyKind>(draft: Draft): Bodies[K] {
  const { sred, pin } = (draft.pos ?? {}) as Readonly<Record<string, { readonly ksn: string }>>;
  const filled = draft.pos
    ? {
        ...draft,
        pos: {
          ...(draft.pos as object),
          ...(sred && { sred: { ksn: sred.ksn, data: encipheredAccount(sred.ksn) } }),
          ...(pin && { pin: { ksn: pin.ksn, data: encipheredPinOf(pin.ksn) } }),
        },
      }
    : draft;
  const text = JSON.stringify(filled);
  return JSON.parse(text, (name, value: unknown) =>
    BYTES.includes(name) && typeof value === 'string' ? fromHex(value) : value,
  ) as Bodies[K];
}

/** The request of a stranger who knows a code's id, has made up its secret, and signs with its own key. */
export function guessedEnrolment(
  challenge: Challenge,
  draft: Draft,
  own: Stranger,
): Bodies['enrolmentRequest'] {
  const code = {
    purpose: EnrolmentPurpose.NEW_AGENT,
    id: String(draft.codeId),
    secret: fromHex(randomHex(32)),
    gateway: new Uint8Array(16),
    isLive: false,
  };
  const wanted = { agentId: String(draft.agentId), nonce: fromHex(randomHex(64)), channel: NO_TLS };
  return enrolmentRequest(challenge, code, wanted, own.agentKey);
}

/** A draft with another value at a path such as `streams[].terminalId`. */
export function withValue(draft: Draft, path: string, value: string): Draft {
  const [name = '', ...rest] = path.split('.');
  const key = name.replace('[]', '');
  const inner = draft[key];
  const set = (from: unknown): unknown =>
    rest.length === 0 ? value : withValue((from ?? {}) as Draft, rest.join('.'), value);
  return { ...draft, [key]: name.endsWith('[]') ? (inner as unknown[]).map(set) : set(inner) };
}
