import type { KeyObject } from 'node:crypto';
import { equalConstantTime } from '../bytes.js';
import { type CanonicalPart, canonicalBytes } from './canonical-bytes.js';
import { codeKey, type EnrolmentCode } from './enrolment-code.js';
import { isPinSet, NO_TLS, pinParts } from './gateway-pins.js';
import { identityKeyOf, isSignedBy, keyFingerprint, signBytes, spkiOf } from './identity-key.js';
import type { Challenge, EnrolmentAnswer, EnrolmentRequest } from './messages.js';

/** What an agent's request contains: its home's agent id, a fresh nonce, and the TLS channel as it sees it. */
export type EnrolmentAsk = Pick<EnrolmentRequest, 'agentId' | 'nonce' | 'channel'>;

/** What the gateway answers, but for its signature. */
export type UnsignedAnswer = Omit<EnrolmentAnswer, 'signature'>;

const CODE_CONTEXT = 'tillbridge.v1 enrolment code';
const KEY_CONTEXT = 'tillbridge.v1 enrolment key';
const ANSWER_CONTEXT = 'tillbridge.v1 enrolment answer';

type UnsignedRequest = Omit<EnrolmentRequest, 'codeSignature' | 'keySignature'>;

function requestParts(challenge: Challenge, request: UnsignedRequest): readonly CanonicalPart[] {
  const { codeId, purpose, agentId, publicKey, nonce, channel } = request;
  return [challenge.nonce, codeId, purpose, agentId, publicKey, nonce, channel];
}

function answerBytes(challenge: Challenge, request: UnsignedRequest, answer: UnsignedAnswer): Uint8Array {
  const { agentId, generation, entityId, terminals, pins } = answer;
  const parts = [agentId, generation, entityId, terminals, pinParts(pins)];
  return canonicalBytes([ANSWER_CONTEXT, requestParts(challenge, request), parts]);
}

/** The request that makes the agent's key known: signed by the key of the code and by the agent's own. */
export function enrolmentRequest(
  challenge: Challenge,
  code: EnrolmentCode,
  ask: EnrolmentAsk,
  privateKey: KeyObject,
): EnrolmentRequest {
  const request = { ...ask, codeId: code.id, purpose: code.purpose, publicKey: spkiOf(privateKey) };
  const parts = requestParts(challenge, request);
  return {
    ...request,
    codeSignature: signBytes(canonicalBytes([CODE_CONTEXT, parts]), codeKey(code)),
    keySignature: signBytes(canonicalBytes([KEY_CONTEXT, parts]), privateKey),
  };
}

/** True when the request was made with the code of this public key, on this connection. */
export function isByCode(challenge: Challenge, request: EnrolmentRequest, codeKey: KeyObject): boolean {
  const bytes = canonicalBytes([CODE_CONTEXT, requestParts(challenge, request)]);
  return isSignedBy(bytes, request.codeSignature, codeKey);
}

/** The agent's key of a request whose sender has its private half; undefined otherwise. */
export function provenKey(challenge: Challenge, request: EnrolmentRequest): KeyObject | undefined {
  const key = identityKeyOf(request.publicKey);
  const bytes = canonicalBytes([KEY_CONTEXT, requestParts(challenge, request)]);
  return key && isSignedBy(bytes, request.keySignature, key) ? key : undefined;
}

/** The answer, signed by the gateway's identity key. */
export function enrolmentAnswer(
  challenge: Challenge,
  request: EnrolmentRequest,
  answer: UnsignedAnswer,
  identityKey: KeyObject,
): EnrolmentAnswer {
  return { ...answer, signature: signBytes(answerBytes(challenge, request, answer), identityKey) };
}

/** Why an answer is not that of the gateway which gave the code. */
export type AnswerFault = 'other-gateway' | 'bad-signature' | 'bad-pins' | 'other-channel' | 'other-agent';

/** What is wrong with an answer; undefined: it is the gateway's that gave the code, over the channel that the agent sees. */
export function answerFault(
  challenge: Challenge,
  request: EnrolmentRequest,
  answer: EnrolmentAnswer,
  code: EnrolmentCode,
): AnswerFault | undefined {
  const { pins } = answer;
  const [signer] = pins?.identityKeys ?? [];
  if (!signer || !equalConstantTime(keyFingerprint(signer), code.gateway)) return 'other-gateway';
  const key = identityKeyOf(signer);
  if (!key || !isSignedBy(answerBytes(challenge, request, answer), answer.signature, key))
    return 'bad-signature';
  if (!pins || !isPinSet(pins)) return 'bad-pins';
  const { channel, agentId } = request;
  if (channel !== NO_TLS && !pins.tlsPins.includes(channel)) return 'other-channel';
  return agentId !== '' && agentId !== answer.agentId ? 'other-agent' : undefined;
}
