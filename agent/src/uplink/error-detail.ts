/** The text of a failed connection. An attempt to several addresses fails as an aggregate without a text of its own. */
export function errorDetail(error: Error): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors
      .map((each: unknown) => (each instanceof Error ? each.message : String(each)))
      .join(', ');
  }
  return error.message;
}
