import { certificateCheck } from '@tillbridge/platform/preflight/certificate-check.js';
import { databaseFacts } from '../../../kernel/data-folder/open-store.js';
import { allRows } from '../../../kernel/store/all-rows.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import type { GoLiveFacts } from './go-live-facts.js';
import { done, type GoLiveStep, type GoLiveVerdict, skipped, toDo } from './go-live-step.js';

const DAY_MS = 24 * 3_600_000;
/** How long a restore rehearsal counts. */
export const REHEARSAL_VALID_MS = 180 * DAY_MS;
/** The oldest PostgreSQL that the gateway runs on, as `server_version_num` has it. */
const OLDEST_POSTGRES = 160_000;
/** Nodes that go on while one is replaced. */
const LEAST_NODES = 2;
/** Payments of an entity that are looked at, the newest first. */
const PAYMENTS_LOOKED_AT = 100;

/** Every step, in the order of the page “Go live”. */
export const GO_LIVE_STEPS: readonly GoLiveStep[] = [
  { name: 'database', title: 'PostgreSQL', look: lookAtDatabase },
  { name: 'home', title: 'Home and mode', look: lookAtHome },
  { name: 'nodes', title: 'Three nodes', look: lookAtNodes },
  { name: 'ceremony', title: 'Key ceremony', isConfirmed: true, look: lookAtCeremony },
  { name: 'pkcs11', title: 'PKCS#11', look: lookAtToken },
  { name: 'tls', title: 'TLS', look: lookAtTls },
  { name: 'acquirer', title: 'Acquirer link', look: lookAtAcquirer },
  { name: 'merchants', title: 'Merchants', look: lookAtMerchants },
  { name: 'devices', title: 'Devices', look: lookAtDevices },
  { name: 'alerts', title: 'Alerts', look: lookAtAlerts },
  { name: 'monitoring', title: 'Prometheus and Grafana', isConfirmed: true, look: lookAtMonitoring },
  { name: 'traces', title: 'OpenTelemetry', look: lookAtTraces },
  {
    name: 'restore',
    title: 'Backup and restore rehearsal',
    isConfirmed: true,
    validMs: REHEARSAL_VALID_MS,
    look: () =>
      toDo(
        'a backup was never restored, or long ago: restore one beside the gateway, as the page “Backup and restore” has it',
        'check',
        'go-live confirm restore --note "who restored which backup, and how long it took"',
      ),
  },
  { name: 'payment', title: 'First payment', look: lookAtPayment },
  { name: 'reversal', title: 'Its reversal', look: lookAtReversal },
];

async function lookAtDatabase({ config }: GoLiveFacts): Promise<GoLiveVerdict> {
  if (config.databaseUrl === undefined)
    return skipped('SQLite in the home: one node, on one machine. DATABASE_URL names a PostgreSQL database');
  const { version, versionNumber, isDurable } = await databaseFacts(config.databaseUrl);
  if (versionNumber < OLDEST_POSTGRES) return toDo(`PostgreSQL ${version} is too old: version 16 or later`);
  if (!isDurable)
    return toDo('the server forgets commits: set fsync and synchronous_commit to on in postgresql.conf');
  return done(`PostgreSQL ${version}, durable commits`);
}

async function lookAtHome({ config, withStore }: GoLiveFacts): Promise<GoLiveVerdict> {
  const { home, transport } = config;
  if (transport.mode !== 'live')
    return toDo('GATEWAY_MODE is test: set it to live, with a home and a database of its own', 'init');
  await withStore((store) => store.check());
  return done(`mode live, ${home}`);
}

async function lookAtNodes({ config, withStore }: GoLiveFacts): Promise<GoLiveVerdict> {
  const running = (await withStore((store) => allRows(store, 'nodes'))).length;
  const least = config.databaseUrl === undefined ? 1 : LEAST_NODES;
  if (running >= least) return done(`${running} running`);
  const how = 'mount the folder "keys" of the first into the home of each further node, then start it';
  return toDo(`${running} running, and ${least} are needed: ${how}`, 'init', 'serve');
}

/** Keys that people carried, and their signatures on the protocol. */
async function lookAtCeremony({ audit }: GoLiveFacts): Promise<GoLiveVerdict> {
  const brought = (await audit()).filter(
    ({ action, outcome }) => action === 'keys import-components' && outcome === 'done',
  ).length;
  if (brought === 0)
    return toDo(
      'no key was brought in by its components',
      'keys import-components --id ID --usage USAGE --scope SCOPE --algorithm ALGORITHM --kcv CHECK-VALUE',
    );
  return toDo(
    `${brought} keys were brought in; print the protocol, have both custodians sign it, then state so`,
    'keys protocol',
    'go-live confirm ceremony --note "who held which component, and where the protocol is"',
  );
}

function lookAtToken({ config, keys }: GoLiveFacts): GoLiveVerdict {
  if (config.token === undefined)
    return skipped('no token is configured: the keys are in the sealed key store of the home');
  return done(`token ${config.token.label}, ${keys().length} keys`);
}

async function lookAtTls({ config, nowMs }: GoLiveFacts): Promise<GoLiveVerdict> {
  const { tls, trustedProxies, publicUrl } = config.transport;
  if (tls) {
    const found = await certificateCheck('tls.certificateFile', tls.certificateFile, () => nowMs)();
    return found ? toDo(found.text) : done(`certificate ${tls.certificateFile}`);
  }
  if (trustedProxies.length === 0)
    return toDo('set tls.certificateFile and tls.keyFile, or trustedProxies and publicUrl');
  return publicUrl === undefined
    ? toDo('publicUrl is not set: the address under which clients reach the proxy')
    : done(`ended by ${trustedProxies.join(', ')}, as ${publicUrl}`);
}

async function lookAtAcquirer({ config, keys, withStore }: GoLiveFacts): Promise<GoLiveVerdict> {
  const { acquirers } = config;
  if (acquirers.length === 0) return toDo('the configuration has no acquirers: add the first link');
  const isMissing = (name: string, usage: string): boolean =>
    !keys().some((key) => key.usage === usage && key.scope === name);
  for (const { name, macMethod, macKeySet } of acquirers)
    if (macMethod !== 'none' && macKeySet === undefined && isMissing(name, 'mac'))
      return toDo(
        `${name} has no mac key: bring in what the acquirer sent`,
        `keys import-block --id ${name}-mac --usage mac --scope ${name} --partner ${name} --file FILE`,
      );
  const routed = (await withStore((store) => allRows(store, 'acquirerRouting'))).filter(
    ({ routes }) => routes !== '[]',
  );
  const [first] = acquirers;
  if (routed.length === 0)
    return toDo(
      'no payment goes to an acquirer: try the link, then set routes',
      `acquirer try ${first?.name}`,
      'acquirer routing ENTITY --routes FILE',
    );
  return done(`${acquirers.map(({ name }) => name).join(', ')}; routes of ${routed.length} entities`);
}

async function lookAtMerchants({ withStore }: GoLiveFacts): Promise<GoLiveVerdict> {
  const { entities, tokens } = await withStore(async (store) => ({
    entities: await allRows(store, 'entities'),
    tokens: (await allRows(store, 'tokens')).filter(({ revokedAtMs }) => revokedAtMs === null),
  }));
  const merchants = entities.filter(({ kind }) => kind === 'merchant').length;
  if (merchants === 0) return toDo('there is no merchant', 'entity create --name NAME');
  const mayPay = tokens.filter(({ rights }) =>
    (JSON.parse(rights) as readonly string[]).includes('pay'),
  ).length;
  if (mayPay === 0)
    return toDo(
      `${merchants} merchants, and none may pay`,
      'token create --entity ID --rights pay refund read',
    );
  return done(`${merchants} merchants, ${mayPay} tokens that may pay`);
}

async function lookAtDevices({ withStore }: GoLiveFacts): Promise<GoLiveVerdict> {
  const { agents, devices } = await withStore(async (store) => ({
    agents: (await allRows(store, 'agents')).filter(({ state }) => state === 'active').length,
    devices: (await allRows(store, 'devices')).filter(({ state }) => state === 'active').length,
  }));
  if (devices > 0) return done(`${agents} agents, ${devices} active devices`);
  return toDo(
    'there is no active device; a gateway of web shops alone needs none',
    'agents enrol-code --entity ID --agent NAME --terminal TERMINAL',
    'devices add SERIAL --type TYPE --account-ksn KSN --agent NAME --terminal TERMINAL',
    'go-live confirm devices --note "web shops alone"',
  );
}

function lookAtAlerts({ config }: GoLiveFacts): GoLiveVerdict {
  const { mailTo, webhookUrl } = config.alerts;
  const targets = [...mailTo, ...(webhookUrl === undefined ? [] : [new URL(webhookUrl).host])];
  if (targets.length > 0) return done(`sent to ${targets.join(', ')}`);
  return toDo('no person gets alerts: set alerts.mailTo with mail, or alerts.webhookUrl');
}

async function lookAtMonitoring({ withStore }: GoLiveFacts): Promise<GoLiveVerdict> {
  const tokens = await withStore((store) => allRows(store, 'tokens'));
  const scrapes = tokens.some(
    ({ rights, revokedAtMs, lastUsedAtMs }) =>
      revokedAtMs === null &&
      lastUsedAtMs !== null &&
      (JSON.parse(rights) as readonly string[]).includes('metrics'),
  );
  if (scrapes) return done('a token with the right metrics is in use');
  return toDo(
    'no Prometheus of another machine reads the metrics: load prometheus-rules.yml and grafana-dashboard.json',
    'token create --entity ID --label prometheus --rights metrics',
    'go-live confirm monitoring --note "Prometheus on this machine, rules and dashboard loaded"',
  );
}

function lookAtTraces({ env }: GoLiveFacts): GoLiveVerdict {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  return endpoint
    ? done(`sent to ${endpoint}`)
    : skipped('OTEL_EXPORTER_OTLP_ENDPOINT is not set: no traces are sent');
}

async function lookAtPayment({ withStore }: GoLiveFacts): Promise<GoLiveVerdict> {
  const approved = (await withStore(newestPayments)).find(isApproved);
  if (approved) return done(`${approved.id}: ${approved.amountMinor} minor units of ${approved.currency}`);
  return toDo('no payment was approved yet: make one of a small amount with a card of your own');
}

async function lookAtReversal({ withStore }: GoLiveFacts): Promise<GoLiveVerdict> {
  const reversed = (await withStore(newestPayments)).find(({ state }) => state === 'reversed');
  if (reversed) return done(`${reversed.id} was reversed`);
  return toDo('no payment was reversed yet: post paymentType=RV to the first payment');
}

/** The newest payments of all entities. */
async function newestPayments(store: Store): Promise<readonly PaymentRow[]> {
  const found: PaymentRow[] = [];
  for (const { id } of await allRows(store, 'entities'))
    found.push(
      ...(await store.findRange('payments', 'time', {
        equals: [id],
        from: 0,
        descending: true,
        limit: PAYMENTS_LOOKED_AT,
      })),
    );
  return found;
}

function isApproved({ state, referencedId }: PaymentRow): boolean {
  return referencedId === null && ['authorized', 'captured', 'completed', 'reversed'].includes(state);
}
