import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  answerFault,
  type EnrolmentAsk,
  enrolmentAnswer,
  enrolmentRequest,
  isByCode,
  provenKey,
  type UnsignedAnswer,
} from './enrolment.js';
import { codeKey, type EnrolmentCode } from './enrolment-code.js';
import { tlsPinOf } from './gateway-pins.js';
import { keyFingerprint, spkiOf } from './identity-key.js';
import { type Challenge, type EnrolmentAnswer, EnrolmentPurpose, type EnrolmentRequest } from './messages.js';

const agent = generateKeyPairSync('ed25519');
const [gateway, backup, thief] = [1, 2, 3].map(() => generateKeyPairSync('ed25519'));
if (!gateway || !backup || !thief) throw new Error('three keys');
const identity = spkiOf(gateway.publicKey);
const PIN = tlsPinOf(Buffer.from('the server'));
const challenge: Challenge = { nonce: Buffer.alloc(32, 1), versionMin: 1, versionMax: 1 };
const code: EnrolmentCode = {
  purpose: EnrolmentPurpose.NEW_AGENT,
  id: '0011223344',
  secret: Buffer.alloc(16, 3),
  gateway: keyFingerprint(identity),
  isLive: false,
};
const ask: EnrolmentAsk = { agentId: '', nonce: Buffer.alloc(32, 2), channel: PIN };
const request = enrolmentRequest(challenge, code, ask, agent.privateKey);
const publicCode = createPublicKey(codeKey(code));
const pins = { identityKeys: [identity, spkiOf(backup.publicKey)], tlsPins: [PIN], authorities: [] };
const unsigned: UnsignedAnswer = {
  agentId: 'store-1',
  generation: 1,
  entityId: 'e',
  terminals: ['1001'],
  pins,
};

describe('a request', () => {
  it('is by the code and by the key that it names', () => {
    expect(isByCode(challenge, request, publicCode)).toBe(true);
    expect(provenKey(challenge, request)?.equals(agent.publicKey)).toBe(true);
  });

  it.each<[string, Partial<EnrolmentRequest>]>([
    ['code id', { codeId: '0011223345' }],
    ['purpose', { purpose: EnrolmentPurpose.REPLACEMENT }],
    ['agent id', { agentId: 'store-2' }],
    ['key', { publicKey: spkiOf(thief.publicKey) }],
    ['nonce', { nonce: Buffer.alloc(32, 3) }],
    ['channel', { channel: 'none' }],
  ])('is of no use with another %s', (_, change) => {
    expect(isByCode(challenge, { ...request, ...change }, publicCode)).toBe(false);
    expect(provenKey(challenge, { ...request, ...change })).toBeUndefined();
  });

  it('is of no use on another connection', () => {
    const later = { ...challenge, nonce: Buffer.alloc(32, 9) };
    expect(isByCode(later, request, publicCode)).toBe(false);
    expect(provenKey(later, request)).toBeUndefined();
  });

  it('is not by another code', () => {
    const guessed = { ...code, secret: Buffer.alloc(16, 4) };
    expect(isByCode(challenge, enrolmentRequest(challenge, guessed, ask, agent.privateKey), publicCode)).toBe(
      false,
    );
  });

  it.each([
    ['no key', Buffer.alloc(44)],
    ['another kind of key', spkiOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)],
  ])('with %s proves none', (_, publicKey) => {
    expect(provenKey(challenge, { ...request, publicKey })).toBeUndefined();
  });
});

describe('an answer', () => {
  const answer = enrolmentAnswer(challenge, request, unsigned, gateway.privateKey);
  const fault = (changes: Partial<EnrolmentAnswer>, of: EnrolmentRequest = request) =>
    answerFault(challenge, of, { ...answer, ...changes }, code);
  /** Signed by the right gateway. */
  const signed = (changes: Partial<UnsignedAnswer>, of: EnrolmentRequest = request) =>
    answerFault(
      challenge,
      of,
      enrolmentAnswer(challenge, of, { ...unsigned, ...changes }, gateway.privateKey),
      code,
    );

  it('is that of the gateway which gave the code', () => {
    expect(fault({})).toBeUndefined();
  });

  it('of another gateway is recognized by the code', () => {
    const own = { ...pins, identityKeys: [spkiOf(thief.publicKey), identity] };
    expect(
      answerFault(
        challenge,
        request,
        enrolmentAnswer(challenge, request, { ...unsigned, pins: own }, thief.privateKey),
        code,
      ),
    ).toBe('other-gateway');
    const { pins: _, ...bare } = answer;
    expect(answerFault(challenge, request, bare, code)).toBe('other-gateway');
  });

  it.each<[string, Partial<EnrolmentAnswer>]>([
    ['agent id', { agentId: 'store-2' }],
    ['generation', { generation: 2 }],
    ['entity', { entityId: 'f' }],
    ['list of terminals', { terminals: [] }],
    ['pin set', { pins: { ...pins, tlsPins: [] } }],
  ])('with another %s than was signed is refused', (_, change) => {
    expect(fault(change)).toBe('bad-signature');
  });

  it('to another request is refused', () => {
    const again = enrolmentRequest(challenge, code, { ...ask, nonce: Buffer.alloc(32, 8) }, agent.privateKey);
    expect(fault({}, again)).toBe('bad-signature');
  });

  it('over a server whose key it does not name is refused: another machine stands in the middle', () => {
    expect(signed({ pins: { ...pins, tlsPins: [tlsPinOf(identity)] } })).toBe('other-channel');
  });

  it('without TLS needs no pins', () => {
    const plain = enrolmentRequest(challenge, code, { ...ask, channel: 'none' }, agent.privateKey);
    expect(signed({ pins: { ...pins, tlsPins: [] } }, plain)).toBeUndefined();
  });

  it('without a backup key is refused', () => {
    expect(signed({ pins: { ...pins, identityKeys: [identity] } })).toBe('bad-pins');
  });

  it('for another agent than the home has is refused', () => {
    const known = enrolmentRequest(challenge, code, { ...ask, agentId: 'store-9' }, agent.privateKey);
    expect(signed({}, known)).toBe('other-agent');
  });
});
