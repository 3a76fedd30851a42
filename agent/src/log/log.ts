import type { Logger } from 'pino';

/** The agent's logger. */
export type AgentLog = Logger;
