/** The floor of a cold start without an SDK: one GetItem over `node:http`, signed by hand (Signature Version 4). */
const http = process.getBuiltinModule('node:http');
const { createHash, createHmac } = process.getBuiltinModule('node:crypto');

const target = 'DynamoDB_20120810.GetItem';
const type = 'application/x-amz-json-1.0';
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const signed = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

const authorization = (host: string, time: string, body: string): string => {
  const { AWS_ACCESS_KEY_ID: id = '', AWS_SECRET_ACCESS_KEY: secret = '', AWS_REGION = '' } = process.env;
  const scope = [time.slice(0, 8), AWS_REGION, 'dynamodb', 'aws4_request'];
  const headers = `content-type:${type}\nhost:${host}\nx-amz-date:${time}\nx-amz-target:${target}\n`;
  const names = 'content-type;host;x-amz-date;x-amz-target';
  const canonical = hashOf(['POST', '/', '', headers, names, hashOf(body)].join('\n'));
  const key = scope.reduce<string | Buffer>((last, part) => signed(last, part), `AWS4${secret}`);
  const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), canonical].join('\n');
  const credential = `Credential=${id}/${scope.join('/')}`;
  return `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signed(key, text).toString('hex')}`;
};

/** Reads one item. */
export const handler = (): Promise<unknown> => {
  const { host, hostname, port } = new URL(process.env['AWS_ENDPOINT_URL'] ?? '');
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const body = JSON.stringify({ TableName: 'bare', Key: { pk: { S: 'a' }, sk: { S: 'b' } } });
  const headers = {
    'content-type': type,
    'x-amz-date': time,
    'x-amz-target': target,
    authorization: authorization(host, time, body),
  };
  return new Promise((resolve, reject) => {
    const request = http.request({ method: 'POST', hostname, port, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(JSON.parse(text)));
    });
    request.on('error', reject);
    request.end(body);
  });
};
