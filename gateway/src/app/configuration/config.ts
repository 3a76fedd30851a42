import { join, resolve } from 'node:path';
import { configuredDialect } from '@tillbridge/platform/config/dialect-section.js';
import { entriesOf } from '@tillbridge/platform/config/list-setting.js';
import { loadSettings } from '@tillbridge/platform/config/load-settings.js';
import { isLoopbackHost } from '@tillbridge/platform/config/net-setting.js';
import type { Problems } from '@tillbridge/platform/config/problems.js';
import { homeOf, type LogConfig, logConfig } from '@tillbridge/platform/config/program-settings.js';
import { LOOPBACK } from '@tillbridge/platform/net/peers.js';
import type { Static } from '@tillbridge/platform/schema/type.js';
import { DialectError } from '@tillbridge/wire/iso8583/dialects/dialect-changes.js';
import { present } from '@tillbridge/wire/present.js';
import type { AcquirerConfig } from '../../core/acquirers/configuration/acquirer-section.js';
import type { PinConfig } from '../../core/bridge/enrolment/gateway-pins.js';
import type { HomeConfig, TokenConfig } from '../../kernel/configuration/home-config.js';
import type { AlertTargets } from '../../kernel/outbox/queue-alerts.js';
import type { MailConfig } from '../../kernel/outbox/smtp-mailer.js';
import { GATEWAY_SETTINGS } from './schema.js';

type Settings = Static<typeof GATEWAY_SETTINGS>;

/** The configuration of the gateway. */
export interface GatewayConfig
  extends HomeConfig,
    Pick<
      Settings,
      | 'host'
      | 'port'
      | 'resolverIntervalMs'
      | 'parkAfterMs'
      | 'throttle'
      | 'limits'
      | 'vault'
      | 'cardTesting'
      | 'schedules'
      | 'requestLog'
    > {
  readonly log: LogConfig;
  readonly transport: TransportConfig;
  readonly bridge: PinConfig;
  /** Private networks that the gateway may call. */
  readonly egressAllowed: readonly string[];
  /** The simulated bank of test mode. */
  readonly simulatedBankUrl?: string;
  /** Directory server of 3D Secure. */
  readonly directoryServerUrl?: string;
  /** The FTP location of reconciliation files; absent: there is none. */
  readonly reconciliationFtp?: Readonly<NonNullable<Settings['reconciliationFtp']>>;
  /** An external service that screens payments. */
  readonly screening?: Readonly<NonNullable<Settings['screening']>>;
  /** The mail server. */
  readonly mail?: MailConfig;
  /** Who receives alerts. */
  readonly alerts: AlertTargets;
  /** Acquirers that are reached by ISO 8583. */
  readonly acquirers: readonly AcquirerConfig[];
}

/** How clients reach the gateway. */
interface TransportConfig extends Pick<Settings, 'mode'> {
  readonly tls?: TlsConfig;
  /** Addresses and networks of proxies whose `X-Forwarded-…` headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** Origin for clients, `https://host[:port]`. */
  readonly publicUrl?: string;
}

/** TLS of our own. */
type TlsConfig = Readonly<NonNullable<Settings['tls']>>;

/**
 * Reads the configuration: the YAML file if one is named, then the environment over it.
 * @throws ConfigError naming everything that is wrong
 */
export function loadConfig(file: string | undefined, env: NodeJS.ProcessEnv): GatewayConfig {
  return loadSettings(GATEWAY_SETTINGS, { file, env }, (settings, problems) => {
    const config = gatewayConfig(settings, homeOf(settings.home, 'gateway', env));
    refusePlainHttp(config, problems);
    refusePlainDirectory(config, problems);
    refuseShortTime(config, problems);
    refuseSimulatedBank(config, problems);
    refuseScreening(config, problems);
    refuseMail(config, problems);
    refuseFtpWithoutTls(config, problems);
    refuseAcquirers(config, problems);
    return config;
  });
}

function gatewayConfig(settings: Settings, home: string): GatewayConfig {
  const { host, port, resolverIntervalMs, parkAfterMs, throttle, limits, mode, tls, publicUrl, pkcs11, log } =
    settings;
  const { bridge, egress, vault, cardTesting, simulatedBankUrl, screening, mail, alerts } = settings;
  return {
    home,
    host,
    port,
    log: logConfig(log, join(home, 'gateway.log'), join(home, 'security.log')),
    resolverIntervalMs,
    parkAfterMs,
    transport: {
      mode,
      ...(tls && { tls }),
      trustedProxies: entriesOf(settings.trustedProxies),
      ...(publicUrl !== undefined && { publicUrl: new URL(publicUrl).origin }),
    },
    bridge: {
      tlsPins: entriesOf(bridge.tlsPins),
      ...(bridge.authorityFile !== undefined && { authorityFile: resolve(bridge.authorityFile) }),
    },
    egressAllowed: entriesOf(egress.allow),
    throttle,
    limits,
    vault,
    cardTesting,
    schedules: settings.schedules,
    requestLog: settings.requestLog,
    ...(settings.databaseUrl !== undefined && { databaseUrl: settings.databaseUrl }),
    ...(simulatedBankUrl !== undefined && { simulatedBankUrl }),
    ...(settings.directoryServerUrl !== undefined && { directoryServerUrl: settings.directoryServerUrl }),
    ...(pkcs11 && { token: tokenConfig(pkcs11) }),
    ...(screening && { screening }),
    ...(mail && { mail: mailConfig(mail) }),
    alerts: { mailTo: entriesOf(alerts.mailTo), ...present({ webhookUrl: alerts.webhookUrl }) },
    acquirers: settings.acquirers,
    ...(settings.reconciliationFtp && { reconciliationFtp: settings.reconciliationFtp }),
  };
}

function tokenConfig({ library, token, pinFile }: NonNullable<Settings['pkcs11']>): TokenConfig {
  return { library: resolve(library), label: token, pinFile: resolve(pinFile) };
}

function mailConfig({ passwordFile, authorityFile, ...mail }: NonNullable<Settings['mail']>): MailConfig {
  return {
    ...mail,
    ...(passwordFile !== undefined && { passwordFile: resolve(passwordFile) }),
    ...(authorityFile !== undefined && { authorityFile: resolve(authorityFile) }),
  } as MailConfig;
}

/** Refuses mails in clear beyond this machine, and alert targets without a mail server. */
function refuseMail({ mail, alerts, transport }: GatewayConfig, problems: Problems): void {
  if (mail?.security === 'none' && !isLoopbackHost(mail.host) && !LOOPBACK.has(mail.host))
    problems.at(['mail', 'security'], 'must be starttls or implicit for a mail server on another machine');
  if (alerts.mailTo.length > 0 && !mail) problems.at(['alerts', 'mailTo'], 'needs mail.host and mail.from');
  if (transport.mode === 'live' && alerts.webhookUrl?.startsWith('http:'))
    problems.at(['alerts', 'webhookUrl'], 'must be of https in mode live');
}

/** Card numbers go to the directory server. */
function refusePlainDirectory({ transport, directoryServerUrl }: GatewayConfig, problems: Problems): void {
  if (transport.mode === 'live' && directoryServerUrl?.startsWith('http:'))
    problems.at(['directoryServerUrl'], 'must be of https in mode live: card numbers are sent there');
}

/** Refuses to send payments over plain HTTP outside of tests; every call is checked again by the rules of egress. */
function refuseScreening({ screening, transport }: GatewayConfig, problems: Problems): void {
  if (screening && transport.mode === 'live' && !screening.url.startsWith('https:'))
    problems.add('screening.url must be https in mode live');
}

/** Refuses two acquirers of one name, halves of a certificate, files of no place or two, and card data in clear beyond tests. */
function refuseAcquirers({ acquirers, transport }: GatewayConfig, problems: Problems): void {
  for (const [at, acquirer] of acquirers.entries()) {
    const { name, tls, files } = acquirer;
    refuseDialect(acquirer, problems, at);
    if (acquirer.macMethod === 'none') refuseUnproven(acquirer, problems, at);
    if (files && (files.folder === undefined) === (files.ftp === undefined))
      problems.at(['acquirers', String(at), 'files'], 'needs one of folder and ftp');
    if (acquirers.findIndex((other) => other.name === name) < at)
      problems.at(['acquirers', String(at), 'name'], `must be unique: there is another ${name}`);
    if ((tls?.certificateFile === undefined) !== (tls?.keyFile === undefined))
      problems.at(['acquirers', String(at), 'tls'], 'needs both of certificateFile and keyFile, or none');
    if (transport.mode === 'live' && !tls)
      problems.at(['acquirers', String(at)], 'needs tls in mode live: card data is sent there');
  }
}

/** Refuses a dialect that cannot be. */
function refuseDialect({ dialect, dialectChanges }: AcquirerConfig, problems: Problems, at: number): void {
  try {
    configuredDialect(dialect, dialectChanges);
  } catch (error) {
    if (!(error instanceof DialectError)) throw error;
    problems.at(['acquirers', String(at), 'dialectChanges', ...error.path], error.message);
  }
}

/** Refuses messages without authentication codes where nothing else proves who sends them. */
function refuseUnproven(
  { tls, privateLine, macKeySet }: Pick<AcquirerConfig, 'tls' | 'privateLine' | 'macKeySet'>,
  problems: Problems,
  at: number,
): void {
  const place = ['acquirers', String(at), 'macMethod'];
  if (macKeySet !== undefined) problems.at(place, 'must not be none with macKeySet');
  if (tls?.certificateFile === undefined && privateLine !== true)
    problems.at(place, 'none needs tls with certificateFile and keyFile, or privateLine: true');
}

/** Files show whose card paid what. */
function refuseFtpWithoutTls({ reconciliationFtp, transport }: GatewayConfig, problems: Problems): void {
  if (reconciliationFtp && !transport.tls)
    problems.add('reconciliationFtp needs tls.certificateFile and tls.keyFile: it speaks TLS alone');
}

/** Refuses plain HTTP in live mode, and beyond loopback. */
function refusePlainHttp({ host, home, transport }: GatewayConfig, problems: Problems): void {
  const { mode, tls, trustedProxies } = transport;
  if (tls || trustedProxies.length > 0) return;
  if (mode === 'live') {
    problems.add(
      `mode live of ${home} needs tls.certificateFile and tls.keyFile, or trustedProxies: it speaks no plain HTTP`,
    );
  }
  if (isLoopbackHost(host) || LOOPBACK.has(host)) return;
  problems.at(
    ['host'],
    `must be a loopback address (127.0.0.1, ::1 or localhost), not ${JSON.stringify(host)}, as plain HTTP stays on this machine; set tls.certificateFile and tls.keyFile, or trustedProxies, to listen elsewhere`,
  );
}

/** Live mode uses no simulator. */
function refuseSimulatedBank({ transport, simulatedBankUrl }: GatewayConfig, problems: Problems): void {
  if (transport.mode !== 'live' || simulatedBankUrl === undefined) return;
  problems.at(['simulatedBankUrl'], 'must be unset in mode live: no simulator decides on money there');
}

/** Node takes the longer of the two times for the whole request (`http.Server`). */
function refuseShortTime({ limits }: GatewayConfig, problems: Problems): void {
  const { headersTimeoutMs, requestTimeoutMs } = limits;
  if (requestTimeoutMs >= headersTimeoutMs) return;
  problems.at(
    ['limits', 'requestTimeoutMs'],
    `must be at least limits.headersTimeoutMs (${headersTimeoutMs}), not ${requestTimeoutMs}: a request has its headers, too`,
  );
}
