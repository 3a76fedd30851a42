/** Journeys that move money of cards: they run with the acquirer's host, too. */
export const WITH_HOST = [
  'bad-input',
  'commands',
  'crash-points',
  'crash-restore',
  'crash-slow-points',
  'drain',
  'explain-killed',
  'kill',
  'kill-gateway-payments',
  'kill-workers',
  'live-sale',
  'manual-resolution',
  'nexo',
  'offline-rules',
  'pulled-cables',
  'replace-agent',
  'restore-agent',
  'restored-gateway',
  'rotate-vault',
  'six-makers',
  'store-policy',
  'tour',
  'two-gateways',
  'wallets',
  'zvt',
] as const;

const NO_MONEY = 'moves no money';

/** The others, and why a host makes no sense of them. */
export const WITHOUT_HOST: Readonly<Record<string, string>> = {
  'bank-page': 'pays from accounts at a bank, for which hosts of cards have no message',
  'crash-bare-journal': NO_MONEY,
  'crash-compaction': NO_MONEY,
  'crash-proofs': NO_MONEY,
  'enrol-live': NO_MONEY,
  floods: NO_MONEY,
  'gateway-over-tls': NO_MONEY,
  'install-agent': 'installs an agent; its two sales are those of other journeys',
  programs: NO_MONEY,
  'shared-work': 'steers the acquirer inside the gateway; two gateways share a host in two-gateways',
};
