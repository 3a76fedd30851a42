import { maskText, maskValue } from '../../mask/mask.js';

/** Options of a pino logger that masks every message and every bound or logged object (P7). */
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
