import { maskText, maskValue } from './mask.js';

/**
 * Options for a pino logger that masks every message and every bound or logged object (P7).
 * Structural on purpose: protocol does not depend on the logger.
 */
export const MASKING_LOG_OPTIONS = {
  hooks: {
    logMethod(this: unknown, args: unknown[], method: (...args: unknown[]) => void): void {
      method.apply(
        this,
        args.map((arg) =>
          typeof arg === 'string' ? maskText(arg) : arg instanceof Error ? { err: maskValue(arg) } : arg,
        ),
      );
    },
  },
  formatters: {
    log: (entry: Record<string, unknown>): Record<string, unknown> =>
      maskValue(entry) as Record<string, unknown>,
    bindings: (entry: Record<string, unknown>): Record<string, unknown> =>
      maskValue(entry) as Record<string, unknown>,
  },
} as const;
