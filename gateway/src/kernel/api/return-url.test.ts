import { expect, it } from 'vitest';
import { appSchemeOf, returnUrlError, withQuery } from './return-url.js';

it.each([
  'https://shop.example/done',
  'http://127.0.0.1:3000/done?order=1#top',
  'HTTPS://SHOP.EXAMPLE',
  'com.shop.app:/done',
  'COM.SHOP.APP://payments/done?x=%C3%A4',
  'https://shop.example/a@b?to=user@host',
])('takes %s', (url) => {
  expect(returnUrlError(url, ['com.shop.app'])).toBeUndefined();
});

it.each([
  '/done',
  '//shop.example/done',
  'shop.example/done',
  'https:shop.example',
  'https:/shop.example',
  'https:///shop.example',
  'https://?x',
  'com.shop.app:',
  'com.shop.app:/',
  'com.other.app:/done',
  'shopapp://done',
  'ms-msdt:/id%20PCWDiagnostic',
  'search-ms:/query=x',
  'shell:/startup',
  'ms-officecmd:/x',
  'https://shop.example\\@evil.example/',
  'https://shop.example/a b',
  'https://shop.example/\u00e4',
  'https://shop.example/\r\nSet-Cookie: a=b',
  'https://shop.example/"onload=',
  'javascript:/%0aalert(1)',
  'JavaScript://%0aalert(1)',
  'data:/text/html,x',
  'vbscript:/x',
  'view-source:/x',
  'file:///etc/passwd',
  'intent://scan/#Intent;end',
  'https://user@shop.example/',
  'https://user:password@shop.example/',
  'com.shop.app://user:password@done',
  'https://shop.example:99999/',
])('refuses %s', (url) => {
  expect(returnUrlError(url, ['com.shop.app'])).toMatch(/^must /);
});

it.each(['/done', 'shop.example/done', 'com.shop.app:', 'https:/shop.example', 'https://shop.example/a b'])(
  'refuses %s as not absolute, whatever apps there are',
  (url) => {
    expect(returnUrlError(url, ['com.shop.app'])).toBe('must be an absolute URL, URL-encoded');
  },
);

it('takes no app where the merchant has named none', () => {
  expect(returnUrlError('com.shop.app:/done')).toMatch(/^must be of https, http or the scheme of an app/);
});

it.each([
  ['https://shop.example', 'https://shop.example?id=a%2Fb&n=1'],
  ['https://shop.example/done', 'https://shop.example/done?id=a%2Fb&n=1'],
  ['https://shop.example/done?', 'https://shop.example/done?id=a%2Fb&n=1'],
  ['https://shop.example/done?order=1', 'https://shop.example/done?order=1&id=a%2Fb&n=1'],
  ['https://shop.example/done?order=1&', 'https://shop.example/done?order=1&id=a%2Fb&n=1'],
  ['https://shop.example/done?order=1#top?', 'https://shop.example/done?order=1&id=a%2Fb&n=1#top?'],
  ['https://shop.example/#/done', 'https://shop.example/?id=a%2Fb&n=1#/done'],
  ['shopapp:/done', 'shopapp:/done?id=a%2Fb&n=1'],
])('adds parameters to %s', (url, expected) => {
  expect(withQuery(url, { id: 'a/b', n: '1' })).toBe(expected);
});

it.each([
  ['com.shop.app:/done', 'com.shop.app'],
  ['COM.Shop.App://done', 'com.shop.app'],
  ['https://shop.example', undefined],
  ['HTTP://shop.example', undefined],
  ['/done', undefined],
  ['com.shop.app:', undefined],
])('finds in %s the app %s', (url, scheme) => {
  expect(appSchemeOf(url)).toBe(scheme);
});

it('takes a path of an address for nothing else', () => {
  expect(returnUrlError('https://:secret@shop.example/')).toBe('must not contain a user or a password');
  expect(withQuery('#top', { id: '1' })).toBe('?id=1#top');
});
