/** A request as people run it in a shell; the access token stays outside. @param origin of the gateway */
export function curlOf(
  origin: string,
  method: 'GET' | 'POST',
  path: string,
  form: Readonly<Record<string, string>> = {},
  idempotencyKey?: string,
): string {
  const lines = [
    `curl ${method === 'GET' ? '-G ' : ''}${quoted(`${origin}${path}`)}`,
    `-H "Authorization: Bearer $TILLBRIDGE_TOKEN"`,
    ...(idempotencyKey === undefined ? [] : [`-H ${quoted(`Idempotency-Key: ${idempotencyKey}`)}`]),
    ...Object.entries(form).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
  ];
  return lines.join(' \\\n  ');
}

/** A word of a shell, whatever stands in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
