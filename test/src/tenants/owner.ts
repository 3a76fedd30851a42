import { type AgentDeps, issueEnrolCode } from '@tillbridge/gateway/features/agents/service.js';
import { parseEnrolmentCode } from '@tillbridge/wire/bridge/enrolment-code.js';
import { type Bodies, Disposition, OfflineKind, SaleType } from '@tillbridge/wire/bridge/messages.js';
import { fromHex } from '@tillbridge/wire/bytes.js';
import { BridgeClient } from './bridge-client.js';
import { chipData, DECLINED, encipheredAccount, forgedChip, TYPED, VISA } from './cards.js';
import { type OwnedIds, randomHex } from './id-kinds.js';
import { sendRest } from './rest-client.js';
import type { Tenant } from './tenant.js';

/** The gateway, and its operator's deps. */
interface OwnersGateway {
  readonly url: string;
  readonly bridgeUrl: string;
  readonly operator: AgentDeps;
}

const COUNTER = 0x42;
const EUROS = { minor: 1_234, currency: 'EUR' };

/** Makes one of each kind of id, by the API and the bridge as a merchant does. @throws Error when the gateway does not do its part */
export async function makeOwned(gateway: OwnersGateway, owner: Tenant): Promise<OwnedIds> {
  const {
    agent,
    merchant,
    channel,
    legacyChannel,
    terminal,
    tokenId: token,
    device,
    spareDevice,
    authentication,
    webhook,
  } = owner;
  const known = {
    merchant,
    channel,
    legacyChannel,
    token,
    agent,
    terminal,
    device,
    spareDevice,
    authentication,
    webhook,
  };
  const paid = await payments(gateway.url, owner);
  const sent = await messages(gateway.bridgeUrl, owner);
  const alert = await openAlert(gateway.url, owner);
  const about = { entityId: channel, agentId: 'new-store-of-owner', terminals: ['7002'] };
  const { code } = await issueEnrolCode(gateway.operator, about);
  const enrolmentCode = parseEnrolmentCode(code).id;
  const settled = await settlements(gateway.url, owner);
  const agentCommand = await command(gateway.url, owner);
  const user = await invite(gateway.url, owner);
  return { ...known, ...paid, ...sent, ...settled, alert, enrolmentCode, agentCommand, user };
}

/** A user with a role for the owner. */
async function invite(url: string, { token, merchant }: Tenant): Promise<string> {
  const form = { entityId: merchant, email: 'anna@owner.example', name: 'Anna', role: 'view' };
  const { body } = await sendRest(url, { method: 'POST', path: '/v1/users', form, token });
  return (body as { readonly user: { readonly id: string } }).user.id;
}

async function payments(url: string, { token, channel }: Tenant) {
  const idempotencyKey = `key-${randomHex(16)}`;
  const merchantTransactionId = `order-${randomHex(16)}`;
  const post = async (path: string, form: Record<string, string>, status = 200, headers = {}) => {
    const sent = { ...form, entityId: channel };
    const answer = await sendRest(url, { method: 'POST', path, form: sent, headers, token });
    if (answer.status !== status) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.body as { readonly id: string; readonly registrationId: string };
  };
  const pay = (more: object, status?: number, headers?: object) =>
    post('/v1/payments', { ...TYPED, ...more }, status, headers);
  const first = { paymentType: 'PA', merchantTransactionId, createRegistration: 'true' };
  const authorized = await pay(first, 200, { 'Idempotency-Key': idempotencyKey });
  const captured = await pay({ paymentType: 'PA' });
  const capture = { paymentType: 'CP', amount: '12.34', currency: 'EUR' };
  const followUp = await post(`/v1/payments/${captured.id}`, capture);
  const declined = await pay({ 'customParameters[forceResultCode]': '800.100.152' }, 400);
  const pending = await pay({ 'customParameters[unknownForSeconds]': '300' });
  const purchase = { amount: '12.34', currency: 'EUR', paymentType: 'DB' };
  const checkout = await post('/v1/checkouts', purchase);
  const job = { 'job.month': '*', registrationId: authorized.registrationId };
  const repeated = { amount: '9.99', currency: 'EUR', paymentType: 'DB', ...job };
  const schedule = await post('/v1/schedules', repeated);
  const paymentLink = await post('/paybylink/v1', purchase);
  return {
    idempotencyKey,
    merchantTransactionId,
    authorizedPayment: authorized.id,
    registration: authorized.registrationId,
    checkout: checkout.id,
    paymentLink: paymentLink.id,
    capturedPayment: captured.id,
    followUp: followUp.id,
    declinedPayment: declined.id,
    pendingPayment: pending.id,
    schedule: schedule.id,
  };
}

/** What the owner's store sent over the bridge. */
async function messages(url: string, owner: Tenant) {
  const { agent: agentId, agentKey, terminal, accountKsn, pinKsn } = owner;
  const ids = {
    approvedMessage: `m-${randomHex(32)}`,
    declinedMessage: `m-${randomHex(32)}`,
    parkedMessage: `m-${randomHex(32)}`,
    tombstonedMessage: `m-${randomHex(32)}`,
    tillReference: `sale-${randomHex(16)}`,
    bootId: `boot-${randomHex(16)}`,
  };
  const client = new BridgeClient(url);
  const { agent } = client;
  await client.join({ agentId, bootId: ids.bootId }, agentKey);
  const expectAnswer = async (kind: 'authorizationAnswer' | 'acknowledgement', disposition: Disposition) => {
    const body = await client.expect<Bodies[typeof kind]>(kind);
    if (body.outcome?.disposition !== disposition) throw new Error(`${kind}: ${JSON.stringify(body)}`);
  };
  agent.say('authorizationRequest', saleOf(owner, ids.tillReference, 1), ids.approvedMessage);
  await expectAnswer('authorizationAnswer', Disposition.APPROVED);
  const declined = saleOf(owner, `sale-${randomHex(16)}`, 2, DECLINED);
  agent.say('authorizationRequest', declined, ids.declinedMessage);
  await expectAnswer('authorizationAnswer', Disposition.DECLINED);
  const { reference, type, amount, pos } = saleOf(owner, `sale-${randomHex(16)}`, 3);
  const unknownKind = { kind: OfflineKind.KIND_UNSPECIFIED, decidedAtMs: 1, ageMs: 1, expired: false };
  const record = { reference, type, ...(amount && { amount }), ...(pos && { pos }), ...unknownKind };
  agent.stream('offlineRecord', 1, ids.parkedMessage, record, terminal);
  await client.expect('parked');
  const cancel = { originalMessageId: ids.tombstonedMessage, reference: `sale-${randomHex(16)}` };
  agent.stream('cancelIfUnseen', 2, `m-${randomHex(32)}`, cancel, terminal);
  await expectAnswer('acknowledgement', Disposition.NOTHING_TO_REVERSE);
  await client.close();
  const ksns = { usedKsn: accountKsn(1), freshKsn: accountKsn(4), pinKsn: pinKsn(1) };
  return { ...ids, ...ksns, cardCounter: forgedChip(COUNTER) };
}

function saleOf(
  { terminal, device, accountKsn }: Tenant,
  reference: string,
  transaction: number,
  pan = VISA,
): Bodies['authorizationRequest'] {
  const ksn = accountKsn(transaction);
  return {
    reference,
    type: SaleType.SALE,
    amount: EUROS,
    pos: {
      terminalId: terminal,
      deviceType: 'GERTEC_PPC930',
      deviceId: device,
      entryMode: 'ICC',
      panSequenceNumber: '01',
      transactionSequenceNumber: 1,
      pinEntryAvailable: true,
      iccData: fromHex(chipData(COUNTER, pan)),
      expiry: '3112',
      sred: { data: fromHex(encipheredAccount(ksn, pan)), ksn: fromHex(ksn) },
    },
    originalMessageId: '',
    journaledAtMs: Date.now(),
    partialAllowed: false,
  };
}

/** A settlement of all that was paid, and the file about it. */
async function settlements(url: string, { token, merchant, channel }: Tenant) {
  const path = '/v1/simulator/settlements';
  const { body } = await sendRest(url, { method: 'POST', path, form: {}, token });
  const { aggregations } = body as {
    aggregations: readonly { readonly id: string; readonly entityId: string }[];
  };
  const settlement = aggregations.find(({ entityId }) => entityId === channel)?.id;
  const form = { entityId: merchant };
  const listed = await sendRest(url, { method: 'GET', path: '/v1/reconciliation', form, token });
  const file = (listed.body as { files?: readonly { readonly name: string }[] }).files?.[0]?.name;
  if (!settlement || !file) throw new Error(`nothing was settled: ${JSON.stringify(listed)}`);
  return { settlement, file };
}

/** A command that waits for the owner's agent, which is not connected. */
async function command(url: string, { token, merchant, agent }: Tenant): Promise<string> {
  const path = `/v1/agents/${agent}/commands`;
  const form = { entityId: merchant, action: 'ping' };
  const { body } = await sendRest(url, { method: 'POST', path, form, token });
  const { id } = (body as { command?: { readonly id: string } }).command ?? {};
  if (id === undefined) throw new Error(`no command: ${JSON.stringify(body)}`);
  return id;
}

async function openAlert(url: string, { token, merchant }: Tenant): Promise<string> {
  const form = { entityId: merchant };
  const { body } = await sendRest(url, { method: 'GET', path: '/v1/alerts', form, token });
  const [alert] = (body as { alerts: readonly { readonly id: string }[] }).alerts;
  if (!alert) throw new Error('the parked message has raised no alert');
  return alert.id;
}
