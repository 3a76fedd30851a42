/**
 * PUBLISHED TEST ROOTS of the three wallets, with the private keys that sign test tokens. The token issuer of the simulator signs with them; a
 * development gateway trusts them; live mode refuses them, see `isTestRoot`.
 */

/** Of walletA (EC_v1 style): root, intermediate and signer certificates (X.509, DER, base64), valid from 2020 to 2099. */
export const TEST_CERTIFICATES_A = {
  root:
    'MIIBhzCCAS2gAwIBAgIBATAKBggqhkjOPQQDAjAqMSgwJgYDVQQDDB90aWxsYnJpZGdlIHRlc3Qgcm9vdCBvZiB3YWxsZXRBMCAXDTIw' +
    'MDEwMTAwMDAwMFoYDzIwOTkxMjMxMjM1OTU5WjAqMSgwJgYDVQQDDB90aWxsYnJpZGdlIHRlc3Qgcm9vdCBvZiB3YWxsZXRBMFkwEwYH' +
    'KoZIzj0CAQYIKoZIzj0DAQcDQgAEHxHz42HW9DszGOmLpkM3pjBIvX6AcP/nYHqty6D92vxPj+sKIDQAEBWXDp4TSuDT1H5aZYIZZ7Oo' +
    '/a8f24Sdr6NCMEAwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAQYwHQYDVR0OBBYEFN98hxvXhZT6t/QGaWIyuCoDorJ+MAoG' +
    'CCqGSM49BAMCA0gAMEUCIEJ1szt7YHcM/KE7Fb+Pcp0XatL2NYd2JRKqMp9+C7KwAiEA+wVT/JdbFsKilx0Vd2T/hh0kS3hfq3cQm07Y' +
    '5LBTdxw=',
  intermediate:
    'MIIBxjCCAWugAwIBAgIBAjAKBggqhkjOPQQDAjAqMSgwJgYDVQQDDB90aWxsYnJpZGdlIHRlc3Qgcm9vdCBvZiB3YWxsZXRBMCAXDTIw' +
    'MDEwMTAwMDAwMFoYDzIwOTkxMjMxMjM1OTU5WjAyMTAwLgYDVQQDDCd0aWxsYnJpZGdlIHRlc3QgaW50ZXJtZWRpYXRlIG9mIHdhbGxl' +
    'dEEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASZ5hS77SF3ffJMWWHRTRhXAHbQ0eU+2X+QWe4ZM+l8uKaXnrVfJqjV6Z+4euyhUXj+' +
    'jfgYwJZHblIJcf9y7ojFo3gwdjASBgNVHRMBAf8ECDAGAQH/AgEAMA4GA1UdDwEB/wQEAwICBDAdBgNVHQ4EFgQUOG6t1+kS8yACTSTS' +
    'XDto872htfswHwYDVR0jBBgwFoAU33yHG9eFlPq39AZpYjK4KgOisn4wEAYKKoZIhvdjZAYCDgQCBQAwCgYIKoZIzj0EAwIDSQAwRgIh' +
    'AJCrx8jLb7uleOqyaesCK6cBuDQnMDzw+DWk/Md6Ci0gAiEAjLdR1g84f484l6f7mfIwaj/Uy6YCuVPC6VIDHe0+uE0=',
  signer:
    'MIIBvzCCAWagAwIBAgIBAzAKBggqhkjOPQQDAjAyMTAwLgYDVQQDDCd0aWxsYnJpZGdlIHRlc3QgaW50ZXJtZWRpYXRlIG9mIHdhbGxl' +
    'dEEwIBcNMjAwMTAxMDAwMDAwWhgPMjA5OTEyMzEyMzU5NTlaMCwxKjAoBgNVBAMMIXRpbGxicmlkZ2UgdGVzdCBzaWduZXIgb2Ygd2Fs' +
    'bGV0QTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABG19IBksoAGVjeLoekvbXYYfZSysTJH4GoLlHxbwJmRvk0iQuIMj/jx0911KqxEu' +
    'DxizGDC+XIzOwwhpx59mfvSjcTBvMAwGA1UdEwEB/wQCMAAwDgYDVR0PAQH/BAQDAgeAMB0GA1UdDgQWBBQNF5L6vP0VBSf2X8cR6rb2' +
    'ZHllxDAfBgNVHSMEGDAWgBQ4bq3X6RLzIAJNJNJcO2jzvaG1+zAPBgkqhkiG92NkBh0EAgUAMAoGCCqGSM49BAMCA0cAMEQCIALzTRhJ' +
    'cbvB2LiaPDvPSLhQQSaZr52DBxMNc+f4pnP8AiB/64Ti/LBZadp8Y2wVeBBfGierONQoBEIoJuAWqWkB2w==',
} as const;

/** Private keys (PKCS#8, DER, base64): the signer of walletA, the root signing key of walletB, the signing key of walletC. */
export const TEST_SIGNING_KEYS = {
  walletA:
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgLx5D8aCzdv6dO6Qmts28fVF4hQYh9ULrBZSWRdN8aTWhRANCAARtfSAZ' +
    'LKABlY3i6HpL212GH2UsrEyR+BqC5R8W8CZkb5NIkLiDI/48dPddSqsRLg8YsxgwvlyMzsMIacefZn70',
  walletB:
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgoUtc51uLSOCeC55HfsPQ+SCKoGrH8Y+tyWH7zB5fffehRANCAASn/oHc' +
    '0ceRmVo3bfMCIIuUP1XLv4VxzD73UMPgs8TkMLvQXiwFHCEkNH93BuJxpr5eO/6maBaLkn6vSGu/Behw',
  walletC:
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgmXrbz2fCsIXRqZtcEELpII3ikRL9GyE3umVVOwbS2RWhRANCAATv18SH' +
    '4KIfMuzSapfgVV5JgRp2Xzi2z2q9Ls04EF6uFwLmweXKttl9A5qA27WXIh/YK4A4pooMrrOjhyAm0oqQ',
} as const;

/** What a gateway trusts of each wallet in tests: the root certificate of walletA, the public keys (SPKI) of the others; DER, base64. */
export const TEST_ROOTS = {
  walletA: TEST_CERTIFICATES_A.root,
  walletB:
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEp/6B3NHHkZlaN23zAiCLlD9Vy7+Fccw+91DD4LPE5DC70F4sBRwhJDR/dwbicaa+Xjv+' +
    'pmgWi5J+r0hrvwXocA==',
  walletC:
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE79fEh+CiHzLs0mqX4FVeSYEadl84ts9qvS7NOBBerhcC5sHlyrbZfQOagNu1lyIf2CuA' +
    'OKaKDK6zo4cgJtKKkA==',
} as const;

const ALL: readonly string[] = Object.values(TEST_ROOTS);

/** Is it one of the published test roots? */
export function isTestRoot(der: Uint8Array): boolean {
  return ALL.includes(Buffer.from(der).toString('base64'));
}
