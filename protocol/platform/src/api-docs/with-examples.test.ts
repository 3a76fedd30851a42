import { expect, it } from 'vitest';
import { type ApiExample, withExamples } from './with-examples.js';

/** The operation of a document of one, with an example. */
function exampled(operation: object, example: ApiExample): unknown {
  const examples = { 'POST /things/{id}': example };
  const document = withExamples({ paths: { '/things/{id}': { post: operation } } }, examples);
  return (document as { paths: Record<string, { post: unknown }> }).paths['/things/{id}']?.post;
}

it('puts parameters, form and answer where tools look for examples', () => {
  const FORM = 'application/x-www-form-urlencoded';
  const operation = {
    parameters: [
      { name: 'id', in: 'path' },
      { name: 'unused', in: 'query' },
    ],
    requestBody: { content: { [FORM]: { schema: {} } } },
    responses: { 200: { description: 'Done.', content: { 'application/json': { schema: {} } } } },
  };
  const example = { parameters: { id: '7', amount: '1.00' }, status: 200, answer: { ok: true } };
  expect(exampled(operation, example)).toEqual({
    parameters: [
      { name: 'id', in: 'path', example: '7' },
      { name: 'unused', in: 'query' },
    ],
    requestBody: { content: { [FORM]: { schema: {}, example: { amount: '1.00' } } } },
    responses: {
      200: { description: 'Done.', content: { 'application/json': { schema: {}, example: { ok: true } } } },
    },
  });
});

it('describes an answer by the group of its status, and a body in JSON', () => {
  const operation = {
    requestBody: { content: { 'application/json': { schema: {} } } },
    responses: { '4XX': { description: 'Refused.' } },
  };
  expect(exampled(operation, { body: { by: 'Jane' }, status: 409, answer: {} })).toEqual({
    requestBody: { content: { 'application/json': { schema: {}, example: { by: 'Jane' } } } },
    responses: {
      '4XX': { description: 'Refused.' },
      409: { description: 'Refused.', content: { 'application/json': { example: {} } } },
    },
  });
});

it('leaves an operation without an example as it is', () => {
  const document = { info: {}, paths: { '/things': { get: { summary: 'Lists things.' } } } };
  expect(withExamples(document, {})).toEqual(document);
});
