/** Programs of a user of the package, which the test of the package compiles and runs in a folder of their own. */

/** Imports a file, exports a segment, and verifies the webhook; prints what it saw as JSON. */
export const program = `
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Tidemark, TidemarkProblem, type Answer } from 'tidemark';
import { verifyWebhook } from 'tidemark/webhooks';

const [baseUrl = '', clientId = '', username = '', password = '', property = ''] = process.argv.slice(2);
const tidemark = await Tidemark.signIn({ baseUrl, clientId, username, password, propertyId: Number(property) });

const { id: importId } = await tidemark.createImport({
  body: {
    name: 'Visitors',
    mapping_fields: {
      required_fields: ['email'],
      field_maps: [
        { sources: [{ type: 'source_field', name: 'E-mail' }], target_field: 'email' },
        { sources: [{ type: 'source_field', name: 'Tags' }], target_field: 'tags' },
      ],
    },
  },
});
const rows = Array.from({ length: 40 }, (_, index) => \`visitor\${index}@example.org,jazz\\n\`);
const file = new Blob(['E-mail,Tags\\n', ...rows, 'nobody,jazz\\n']);
const { jobId } = await tidemark.uploadFile({ importId, file, fileName: 'visitors.csv' });
const job: Answer<'getImportJob'> = await tidemark.waitForImport({ importId, jobId });

const refused: string[] = [];
for await (const { code } of tidemark.listImportErrors({ path: { import_id: importId, job_id: jobId } })) refused.push(code);

const [segment] = await tidemark.findSegments({ query: { name: 'jazz' } });
if (!segment) throw new Error('There is no segment.');
const members = new Set<string>();
const path = { segment_id: segment.id };
for await (const { email } of tidemark.listSegmentProfiles({ path, query: { limit: 15 } })) members.add(String(email));

const server = createServer((request, response) => {
  void text(request).then((body) => {
    response.writeHead(204).end();
    server.emit('call', body, request.headers);
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
const called = once(server, 'call');
const created = await tidemark.createExport({
  body: {
    segment: [segment.id],
    field_set: 'email',
    data_format: 'csv',
    webhook_url: \`http://127.0.0.1:\${typeof address === 'object' && address ? address.port : 0}/\`,
  },
});
const exported = await tidemark.waitForExport({ exportId: created.id });
const download = exported.location === null ? undefined : await tidemark.openLocation(exported.location);
const lines = (await download?.text())?.trimEnd().split('\\r\\n') ?? [];
const [body, headers] = await called;
const { event } = await verifyWebhook({ secret: String(created.webhook_secret), headers, body });
server.close();

const missing: unknown = await tidemark.getExport({ path: { export_id: 1 } }).catch((error: unknown) => error);
console.log(
  JSON.stringify({
    status: job.counts.status,
    stored: job.counts.completed,
    refused,
    members: members.size,
    rows: lines.length - 1,
    event: event.type === 'export.completed' && event.rows,
    missing: missing instanceof TidemarkProblem && missing.code,
  }),
);
`;

/** Calls that compile, and calls that do not. */
export const calls = `
import { Tidemark, type Permission, type Role } from 'tidemark';

const tidemark = new Tidemark({ baseUrl: 'https://tidemark.example', token: 't', propertyId: 1 });
const access = { baseUrl: 'https://tidemark.example', clientId: 'c', username: 'ada', password: 'p' };
const scope: Permission[] = ['people.write', 'definitions.read'];
const reader: Role = 'reader';

export const right = [
  () => tidemark.listSegmentProfiles({ path: { segment_id: 1 }, query: { limit: 100 } }),
  () => tidemark.getExport({ path: { export_id: '1001000000001' } }),
  () => tidemark.listExports(),
  () => tidemark.retryImportJob({ path: { import_id: 1, job_id: 1 }, body: 'E-mail\\n', contentType: 'text/csv' }),
  () => tidemark.response('listImportErrors', { path: { import_id: 1, job_id: 1 }, query: { format: 'csv' } }),
  () => new Tidemark({ ...access, scope, propertyIds: [1] }),
  async () => (await tidemark.getCaller()).role === reader,
  async () => (await tidemark.getImportJob({ path: { import_id: 1, job_id: 1 } })).counts.completed.toFixed(),
];

export const wrong = [
  // @ts-expect-error The path needs an id.
  () => tidemark.getExport(),
  // @ts-expect-error There is no such parameter.
  () => tidemark.listExports({ query: { limt: 100 } }),
  // @ts-expect-error This operation takes no body.
  () => tidemark.listExports({ body: {} }),
  // @ts-expect-error A name is text.
  () => tidemark.createCollection({ body: { name: 1, segments: [1] } }),
  // @ts-expect-error This format is a member of the list.
  () => tidemark.createExport({ body: { segment: [1], data_format: 'xlsx' } }),
  // @ts-expect-error The typed method answers JSON.
  () => tidemark.listImportErrors({ path: { import_id: 1, job_id: 1 }, query: { format: 'csv' } }),
  // @ts-expect-error There is no such permission.
  () => new Tidemark({ ...access, scope: ['people.wirte'] }),
  // @ts-expect-error There is no such operation.
  () => tidemark.dropEverything(),
];
`;
