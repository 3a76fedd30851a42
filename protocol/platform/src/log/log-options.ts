import { maskText, maskValue } from '@tillbridge/wire/mask/mask.js';
import { sourceStack } from './source-stacks.js';

/** A masked error with source files in the stacks of it and of its causes; any other value as it is. */
function withSources(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('stack' in value)) return value;
  const { stack } = value;
  if (typeof stack !== 'string') return value;
  const cause = 'cause' in value ? { cause: withSources(value.cause) } : {};
  return { ...value, stack: sourceStack(stack), ...cause };
}

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
    log: (entry: Record<string, unknown>): Record<string, unknown> => {
      const masked = maskValue(entry) as Record<string, unknown>;
      for (const [name, value] of Object.entries(masked)) {
        const shown = withSources(value);
        if (shown !== value) masked[name] = shown;
      }
      return masked;
    },
    bindings: (entry: Record<string, unknown>): Record<string, unknown> =>
      maskValue(entry) as Record<string, unknown>,
  },
} as const;
