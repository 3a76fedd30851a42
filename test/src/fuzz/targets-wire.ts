import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { parseForm } from '@tillbridge/gateway/kernel/api/form.js';
import { readSignals, signalTexts } from '@tillbridge/gateway/kernel/store/signals/signal-text.js';
import { BridgeError, decodeEnvelope, encodeEnvelope } from '@tillbridge/wire/bridge/codec.js';
import {
  answerFault,
  enrolmentAnswer,
  enrolmentRequest,
  isByCode,
  provenKey,
} from '@tillbridge/wire/bridge/enrolment.js';
import {
  codeKey,
  type EnrolmentCode,
  EnrolmentCodeError,
  formatEnrolmentCode,
  parseEnrolmentCode,
} from '@tillbridge/wire/bridge/enrolment-code.js';
import { spkiOf } from '@tillbridge/wire/bridge/identity-key.js';
import { EnrolmentPurpose, type Envelope, SaleType } from '@tillbridge/wire/bridge/messages.js';
import { fromHex } from '@tillbridge/wire/bytes.js';
import { proofStatement } from '@tillbridge/wire/proof/proof-statement.js';
import { ProofFormatError, readProof } from '@tillbridge/wire/proof/read-proof.js';
import { encodeProof, type SaleProof } from '@tillbridge/wire/proof/sale-proof.js';
import { type ProofCrypto, verifyProof } from '@tillbridge/wire/proof/verify-proof.js';
import { type FuzzTarget, fuzzTargets, PropertyError } from './target.js';

const CODE: EnrolmentCode = {
  purpose: EnrolmentPurpose.NEW_AGENT,
  id: '0011223344',
  secret: Buffer.alloc(16, 1),
  gateway: Buffer.alloc(16, 2),
  isLive: false,
};
const CHALLENGE = { nonce: Buffer.alloc(32, 3), versionMin: 1, versionMax: 1 };
const DRAFT = { agentId: '', nonce: Buffer.alloc(32, 4), channel: 'none' };
const AGENT_KEY = generateKeyPairSync('ed25519').privateKey;
const REQUEST = enrolmentRequest(CHALLENGE, CODE, DRAFT, AGENT_KEY);
const IDENTITY = generateKeyPairSync('ed25519').privateKey;
const PINS = {
  identityKeys: [spkiOf(IDENTITY), spkiOf(AGENT_KEY)],
  tlsPins: [],
  authorities: [Buffer.of(1)],
};
const GRANT = { agentId: 'store-1', entityId: 'e', generation: 1, terminals: ['1001'], pins: PINS };
const ANSWER = enrolmentAnswer(CHALLENGE, REQUEST, GRANT, IDENTITY);
/** Another code than the one of the corpus: no input is by it. */
const OTHER_CODE = createPublicKey(codeKey({ id: '5566778899', secret: Buffer.alloc(16, 5) }));

const outside = (kind: 'enrolmentRequest' | 'enrolmentAnswer', body: object): Envelope =>
  ({ id: 'e', terminalId: '', sequence: 0, kind, body }) as Envelope;

/** What a gateway reads of a stranger, and an agent of what may be a foreign gateway. */
const ENROLMENT_TARGETS = fuzzTargets([BridgeError], {
  'bridge/enrolment-request': {
    corpus: [encodeEnvelope(outside('enrolmentRequest', REQUEST))],
    run: (input) => {
      const { kind, body } = decodeEnvelope(input);
      if (kind !== 'enrolmentRequest') return;
      if (isByCode(CHALLENGE, body, OTHER_CODE))
        throw new PropertyError('a request is by a code that made none');
      const key = provenKey(CHALLENGE, body);
      if (key && Buffer.compare(spkiOf(key), REQUEST.publicKey) !== 0)
        throw new PropertyError('a key is proven that has signed nothing');
    },
  },
  'bridge/enrolment-answer': {
    corpus: [encodeEnvelope(outside('enrolmentAnswer', ANSWER))],
    run: (input) => {
      const { kind, body } = decodeEnvelope(input);
      if (kind !== 'enrolmentAnswer') return;
      if (answerFault(CHALLENGE, REQUEST, body, CODE) !== 'other-gateway')
        throw new PropertyError('an answer is taken for that of another gateway');
    },
  },
  'bridge/enrolment-code': {
    corpus: [
      Buffer.from(formatEnrolmentCode(CODE)),
      Buffer.from(formatEnrolmentCode({ ...CODE, isLive: true, bridgeUrl: 'wss://gateway.example/bridge' })),
    ],
    refusals: [EnrolmentCodeError],
    run: (input) => {
      const code = parseEnrolmentCode(Buffer.from(input).toString('latin1'));
      if (!isDeepStrictEqual(parseEnrolmentCode(formatEnrolmentCode(code)), code))
        throw new PropertyError('writing what was read gives another code');
    },
  },
});

/** Readers of what tills, agents, terminals and acquirers send. */
const PROOF: SaleProof = {
  ...{ writtenBy: 'corpus', agentId: 'store-1', reference: 'R-1' },
  head: {
    ...{ generation: 1, row: 2, timeMs: 1 },
    ...{
      hash: new Uint8Array(32),
      root: new Uint8Array(32),
      key: new Uint8Array(44),
      signature: new Uint8Array(64),
    },
  },
  stretches: [
    {
      firstRow: 1,
      previousHash: new Uint8Array(32),
      rows: [
        { atMs: 1, kind: 'accepted', terminalId: '1', sequence: 0, dataText: '{"sale":{}}' },
        { hash: new Uint8Array(32), tag: new Uint8Array(32) },
      ],
    },
  ],
  path: [new Uint8Array(32)],
  cryptogram: { ac: '00' },
  receipt: { store: '{}', customer: 'a', merchant: 'b' },
};

/** No key, and hashes of one byte: what is verified here is that nothing but a verdict comes out. */
const EVERY_KEY: ProofCrypto = {
  sha256: async (bytes) => Buffer.alloc(32, bytes.length),
  isSignedBy: async () => true,
};

export const WIRE_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'proof/sale-proof',
    corpus: [Buffer.from(encodeProof(PROOF)), Buffer.from(encodeProof({ ...PROOF, path: [] }))],
    refusals: [ProofFormatError],
    run: async (input) => {
      const proof = readProof(Buffer.from(input).toString('utf8'));
      if (!isDeepStrictEqual(readProof(encodeProof(proof)), proof))
        throw new PropertyError('a proof is read back as another');
      const verdict = await verifyProof(proof, { isGatewayKey: async () => true }, EVERY_KEY);
      if (verdict.kind === 'proven') proofStatement(proof, verdict, '');
    },
  },
  {
    name: 'bridge/envelope',
    corpus: [
      encodeEnvelope({
        id: '0198c6a2-0000-7000-8000-000000000001',
        terminalId: '',
        sequence: 7,
        kind: 'authorizationRequest',
        body: {
          reference: 'T-1',
          type: SaleType.SALE,
          amount: { minor: 1234, currency: 'EUR' },
          pos: {
            terminalId: '1001',
            deviceType: 'GERTEC_PPC930',
            deviceId: '77',
            entryMode: 'ICC',
            panSequenceNumber: '01',
            transactionSequenceNumber: 7,
            pinEntryAvailable: true,
            iccData: fromHex('9F2701809F260801020304050607'),
            expiry: '3112',
            sred: { data: Buffer.alloc(48, 1), ksn: Buffer.alloc(10, 2) },
          },
          originalMessageId: '',
          journaledAtMs: 1_795_000_000_000,
          partialAllowed: false,
        },
      }),
    ],
    refusals: [BridgeError],
    run: (input) => {
      const envelope = decodeEnvelope(input);
      if (!isDeepStrictEqual(decodeEnvelope(encodeEnvelope(envelope)), envelope))
        throw new PropertyError('encoding what was decoded gives another envelope');
    },
  },
  ...ENROLMENT_TARGETS,
  {
    name: 'store/signals',
    corpus: [Buffer.from('commands store-1\ncache \nthrottle 0123456789abcdef0123456789abcdef payments 1 2')],
    refusals: [],
    run: (input) => {
      const signals = readSignals(Buffer.from(input).toString('utf8'));
      const again = signalTexts(signals).flatMap(readSignals);
      if (
        new Set(again.map((one) => JSON.stringify(one))).size !==
        new Set(signals.map((one) => JSON.stringify(one))).size
      )
        throw new PropertyError('writing what was read gives other signals');
    },
  },
  {
    name: 'api/form',
    corpus: [
      Buffer.from('entityId=8a8294174b7ecb28014b9699220015ca&amount=92.00&currency=EUR&paymentType=DB'),
      Buffer.from('card.holder=J%C3%B6rg+M&customParameters[a]=1&cart.items[0].name=x'),
    ],
    refusals: [],
    run: (input) => parseForm(input, 'application/x-www-form-urlencoded'),
  },
];
