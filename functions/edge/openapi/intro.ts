import { limits } from '../../../shared/config/limits.ts';

const { http, auth } = limits;
const digits = (count: number): string => count.toLocaleString('en');

/** The description at the top of the document, in Markdown: the rules that all operations share. */
export const intro = `Customer profiles: imports, one profile per person, segments, exports and timelines.

**Sign in.** \`POST /oauth/token\` gives a token for ${auth.tokenSeconds / 86_400} days. Send it as \`Authorization: Bearer …\`. \`GET /v1/me\` lists
the properties that the token reaches. A property holds the people of one brand, shop or house.

**Permissions.** Each operation names the permission that its token needs (\`x-permission\`). The role of a user has
permissions, and so has a token: \`scope\` asks for fewer. Without the permission an operation answers 403.

**Addresses.** Most paths begin with \`/v1/{property_id}\`, newer ones with \`/v2/properties/{property_id}\`. \`x-also-at\`
lists other addresses of an operation. HEAD works wherever GET does.

**Requests.** Bodies are JSON in UTF-8, of at most ${digits(http.bodyBytes)} bytes; upload larger data as a file. Unknown fields are
refused. Fields that the service assigns are ignored, so you can send back what you read. An optional text may be empty;
that is as if it were absent.

**Values.** Times are ISO 8601 in UTC with \`Z\`. Ids are integers, but ids of exports and of their jobs are strings of
digits in answers. Profiles have UUIDs. Answers may get new fields at any time.

**Pages.** Lists have pages of at most ${digits(http.pageMax)} items (\`limit\`). They come in three forms:
1. \`paging.next_page\` is the address of the next page. It is null on the last page.
2. \`GET /v1/{property_id}/segments\`, \`GET /v2/properties/{property_id}/timelines\` and CSV lists of rows answer the bare
   list. The header \`Link\` has the address of the next page. It is absent on the last page.
3. Lists of people also have \`paging.previous_page\`, and the UUIDs with which \`page\` and \`before\` begin.

A page of a filtered list may have fewer items than its limit, or none, and still have a next page.

**Repeat safely.** Send an \`Idempotency-Key\` with a POST. The same request with the same key gets the same answer, and
nothing happens twice. A key is kept for ${http.idempotencyHours} hours, for batches and retries for ${limits.imports.batchIdempotencyDays} days.
Inspections and previews show people and change nothing, so they run again.

**Errors** are \`application/problem+json\` (RFC 9457) with a stable \`code\`; \`errors\` names each fault. The routes
under \`/oauth\` answer as RFC 6749 says. Every answer has an \`X-Request-Id\`.

**Limits.** An account has a rate of requests, which the operator sets. Above it, requests get 429, and \`Retry-After\`
says how long to wait. A request runs for at most ${http.timeoutSeconds} seconds.
`;
