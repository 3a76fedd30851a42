import type { AgentLog } from '@tillbridge/agent/log/log.js';
import { createLog } from '@tillbridge/platform/log/log.js';

/** A log that writes nothing: a simulation writes its trace. */
export const QUIET_LOG: AgentLog = createLog('simulation', { level: 'silent', target: 'stderr' });
