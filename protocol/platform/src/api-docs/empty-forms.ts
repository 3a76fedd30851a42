/** Makes an example of a schema. `contentType` is `false` where it becomes what stands in a field of a form at first. */
type SampleSchema = (schema: unknown, contentType?: unknown, ...rest: unknown[]) => unknown;

/** What a plugin of the viewer is given: of Swagger UI's system the part that is used. */
interface ViewerSystem {
  readonly getSystem: () => { readonly fn: { readonly jsonSchema202012: { getSampleSchema: SampleSchema } } };
}

/**
 * Plugin of the viewer: a form to try out begins empty. By itself the viewer fills all of the three hundred parameters of a payment with
 * values made from their patterns, and no such payment is ever taken. Runs in the browser, sent there as its text: it uses nothing from
 * outside.
 */
export function emptyForms({ getSystem }: ViewerSystem): { readonly fn: { getSampleSchema: SampleSchema } } {
  return {
    fn: {
      getSampleSchema: (schema, contentType, ...rest) =>
        contentType === false
          ? ''
          : getSystem().fn.jsonSchema202012.getSampleSchema(schema, contentType, ...rest),
    },
  };
}

/**
 * Leaves out of a request of the viewer what was not filled in: it sends every field of a form. Runs in the browser, as
 * {@link emptyForms} does.
 * @param request a plain object of the viewer's, its `body` a text where it is a form
 */
export function withoutEmptyFields<R extends object>(request: R): R {
  const form: { body?: unknown } = request;
  if (typeof form.body === 'string')
    form.body = form.body
      .split('&')
      .filter((field) => !field.endsWith('='))
      .join('&');
  return request;
}
