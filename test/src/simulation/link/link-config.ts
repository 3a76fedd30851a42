import type { AcquirerConfig } from '@tillbridge/gateway/core/acquirers/configuration/acquirer-section.js';

/** The link, as a configuration would have it. */
export const LINK: AcquirerConfig = {
  name: 'EXTERNAL',
  hosts: 'simulated:1',
  dialect: '1987-binary',
  followUps: 'card',
  macMethod: 'iso9797Algorithm3',
  connections: 2,
  connectTimeoutMs: 1_000,
  answerTimeoutMs: 20_000,
  echoAfterMs: 60_000,
};
