/** The code of an error of the operating system, such as `ENOENT`; `unknown error` where it has none. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
