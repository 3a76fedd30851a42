import { type AgentLog, createLog } from '@tillbridge/agent/log/log.js';

/** A log that says nothing: what a simulation says is its trace. */
export const QUIET_LOG: AgentLog = createLog('silent', { write: () => undefined });
