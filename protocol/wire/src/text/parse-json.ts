/** The value of a text of JSON. @throws what `refusal` makes where the text is none */
export function parseJson(text: string, refusal: () => Error): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refusal();
  }
}
