// Secrets that are nobody's, put together at run time so that none lies in the repository in one piece.

/** A secret as it is planted, and the part of it that must not survive anywhere. */
export interface PlantedSecret {
  readonly kind: string;
  /** What somebody would paste. */
  readonly text: string;
  /** What must be gone. */
  readonly secret: string;
}

const lower = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
const mixed = lower + lower.toUpperCase() + digits;

/** Looks random and is the same each time: a small linear congruential generator picks the characters. */
function pick(alphabet: string, length: number, seed: number): string {
  let state = seed;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return alphabet.charAt((state >>> 8) % alphabet.length);
  }).join('');
}

const any = (length: number, seed: number): string => pick(mixed, length, seed);
const hex = (length: number, seed: number): string => pick('0123456789abcdef', length, seed);
const upper = (length: number, seed: number): string => pick(lower.toUpperCase() + '234567', length, seed);
const number = (length: number, seed: number): string => `1${pick(digits, length - 1, seed)}`;

const whole = (kind: string, ...parts: readonly string[]): PlantedSecret => ({ kind, text: parts.join(''), secret: parts.join('') });
const within = (kind: string, before: string, secret: string, after = ''): PlantedSecret => ({ kind, text: before + secret + after, secret });

const base64Url = (text: string): string => Buffer.from(text).toString('base64url');
const jwt = [base64Url('{"alg":"HS256","typ":"JWT"}'), base64Url('{"sub":"1234567890","name":"A"}'), any(43, 1)].join('.');
const pemBody = Array.from({ length: 6 }, (_, line) => any(64, 20 + line)).join('\n');
const pemHead = ['-----BEGIN', ' RSA PRIVATE', ' KEY-----'].join('');
const pemTail = pemHead.replace('BEGIN', 'END');
const telegram = `${number(10, 3)}:${any(35, 4)}`;
const botToken = `${['M', 'T', 'k'].join('')}${any(23, 5)}.${any(6, 6)}.${any(38, 7)}`;
const password = ['Tr0ub', '4dor', '&3x'].join('');

/** Secrets that their own shape gives away. */
export const shapedSecrets: readonly PlantedSecret[] = [
  whole('aws key id', 'AK', 'IA', upper(16, 1)),
  whole('aws temporary key id', 'AS', 'IA', upper(16, 2)),
  whole('gcp api key', 'AI', 'za', any(35, 3)),
  whole('gcp oauth token', 'ya', '29.', any(60, 4)),
  whole('gcp client secret', 'GOC', 'SPX-', any(28, 5)),
  whole('azure client secret', any(3, 6), '8', 'Q~', any(34, 7)),
  whole('openai project key', 'sk-', 'proj-', any(48, 8)),
  whole('openai key', 'sk', '-', any(48, 9)),
  whole('anthropic key', 'sk-', 'ant-', 'api03-', any(80, 10)),
  whole('openrouter key', 'sk-', 'or-v1-', hex(64, 11)),
  whole('github token', 'gh', 'p_', any(36, 12)),
  whole('github app token', 'gh', 's_', any(36, 13)),
  whole('github fine-grained token', 'github', '_pat_', any(22, 14), '_', any(59, 15)),
  whole('gitlab token', 'gl', 'pat-', any(20, 16)),
  whole('slack bot token', 'xo', 'xb-', number(12, 17), '-', number(12, 18), '-', any(24, 19)),
  whole('slack app token', 'xa', 'pp-1-', upper(11, 20), '-', number(13, 21), '-', hex(64, 22)),
  whole('stripe live key', 'sk', '_live_', any(24, 23)),
  whole('stripe webhook secret', 'wh', 'sec_', any(32, 24)),
  whole('twilio key', 'S', 'K', hex(32, 25)),
  whole('sendgrid key', 'S', 'G.', any(22, 26), '.', any(43, 27)),
  whole('mailgun key', 'key', '-', hex(32, 28)),
  whole('npm token', 'np', 'm_', any(36, 29)),
  whole('pypi token', 'py', 'pi-', any(90, 30)),
  whole('docker token', 'dckr', '_pat_', any(27, 31)),
  whole('hugging face token', 'h', 'f_', any(34, 32)),
  whole('replicate token', 'r', '8_', any(37, 33)),
  whole('groq key', 'gs', 'k_', any(52, 34)),
  whole('xai key', 'xa', 'i-', any(80, 35)),
  whole('novelai token', 'ps', 't-', any(64, 36)),
  whole('digitalocean token', 'do', 'p_v1_', hex(64, 37)),
  whole('databricks token', 'da', 'pi', hex(32, 38)),
  whole('vault token', 'hv', 's.', any(90, 39)),
  whole('notion token', 'nt', 'n_', any(46, 40)),
  whole('linear key', 'lin', '_api_', any(40, 41)),
  whole('shopify token', 'shp', 'at_', hex(32, 42)),
  whole('grafana token', 'gl', 'sa_', any(32, 43), '_', hex(8, 44)),
  whole('airtable token', 'pa', 't', any(14, 45), '.', hex(64, 46)),
  whole('telegram bot token', telegram),
  whole('discord bot token', botToken),
  within('discord webhook', 'https://discord.com/api/webhooks/112233445566778899/', any(68, 47)),
  within('slack webhook', 'https://hooks.slack.com/services/', `T${upper(8, 48)}/B${upper(8, 49)}/${any(24, 50)}`),
  whole('jwt', jwt),
  within('pem', `${pemHead}\n`, pemBody, `\n${pemTail}`),
  within('pem on one line', `${pemHead} `, pemBody.replaceAll('\n', ' '), ` ${pemTail}`),
  within('pem with written-out line breaks', `${pemHead}\\n`, pemBody.replaceAll('\n', '\\n'), `\\n${pemTail}\\n`),
  within('pem cut off', `${pemHead}\n`, pemBody),
  whole('random base62', any(32, 51)),
  whole('random base64', Buffer.from(any(40, 52)).toString('base64')),
];

/** Secrets that what stands around them gives away. */
export const placedSecrets: readonly PlantedSecret[] = [
  within('bearer header', 'Authorization: Bearer ', any(12, 60)),
  within('bearer in a sentence', 'send it with bearer ', any(24, 61)),
  within('basic header', 'Authorization: Basic ', Buffer.from(`bob:${password}`).toString('base64')),
  within('bare basic', 'Basic ', Buffer.from(`bob:${password}`).toString('base64')),
  within('cookie header', 'Cookie: theme=dark; sid=', any(9, 62)),
  within('set-cookie header', 'Set-Cookie: session=', any(9, 63), '; Path=/; HttpOnly'),
  within('user information of a URL', 'https://bob:', password.replace('&', '%26'), '@example.com/path'),
  within('token as user of a URL', 'https://', hex(20, 64), '@git.example.com/x.git'),
  within('query token', 'https://example.com/a?lang=de&access_token=', any(10, 65)),
  within('query key', 'https://example.com/a?key=', any(12, 66), '&units=metric'),
  within('query signature', 'https://blob.example.com/f?sv=2022&sig=', any(14, 67)),
  within('fragment token', 'https://example.com/cb#state=1&id_token=', any(11, 68)),
  within('percent-encoded URL', 'https%3A%2F%2Fexample.com%2Fcb%3Ftoken%3D', any(10, 69), '%26x%3D1'),
  within('doubly percent-encoded name', 'next=%2Fcb%3Fpass%2577ord%253D', any(10, 70)),
  within('postgres URL', 'postgres://app:', password, '@db:5432/app'),
  within('mongodb URL', 'mongodb+srv://app:', any(9, 71), '@cluster0.example.net/?retryWrites=true'),
  within('redis URL', 'redis://:', any(9, 72), '@cache:6379/0'),
  within('amqp URL', 'amqp://guest:', any(9, 73), '@mq:5672/'),
  within('ado connection string', 'Server=db;User Id=sa;Password=', any(9, 74), ';Encrypt=true'),
  within('azure storage string', 'AccountName=x;AccountKey=', any(12, 75), ';EndpointSuffix=core'),
  within('env file', 'DB_PASSWORD=', any(7, 76)),
  within('env file, letters only', 'export APP_SECRET=', pick(lower, 9, 77)),
  within('yaml', 'api_key: ', any(10, 78)),
  within('json fragment', 'the config was {"client_secret": "', any(10, 79), '", "port": 80} I think'),
  within('escaped json fragment', 'body: "{\\"password\\": \\"', any(8, 80), '\\"}"'),
  within('python', "password = '", any(8, 81), "'"),
  within('command line', 'deploy --api-token ', any(9, 82), ' --region eu'),
  within('curl user', 'curl -u bob:', any(9, 83), ' https://example.com'),
  within('xml', '<password>', any(8, 84), '</password>'),
  within('subscript', 'config["secret"] = "', any(8, 85), '"'),
  within('english sentence', 'the password is ', 'hunter2'),
  within('english label', 'My API key: ', any(10, 86)),
  within('japanese', 'パスワード：', any(8, 87), 'です'),
  within('japanese sentence', 'パスワードは', 'hunter2', 'です'),
  within('japanese api key', 'APIキー：', any(10, 88)),
  within('traditional chinese', '密碼：', any(8, 89)),
  within('traditional chinese sentence', '密碼是', 'hunter2'),
  within('simplified chinese', '密码: ', any(8, 90)),
  within('spanish', 'contraseña: ', any(8, 91)),
  within('german', 'Kennwort: ', any(8, 92)),
  within('german sentence', 'das Passwort lautet ', 'hunter2'),
  within('french', 'mot de passe : ', any(8, 93)),
  within('portuguese', 'senha: ', any(8, 94)),
  within('korean', '비밀번호: ', any(8, 95)),
  within('full-width letters', 'ｐａｓｓｗｏｒｄ：', any(8, 96)),
  within('invisible characters', 'pass\u200bword: ', any(8, 97)),
  within('data URL', 'data:image/png;base64,', Buffer.from(any(90, 98)).toString('base64')),
];

export const plantedSecrets: readonly PlantedSecret[] = [...shapedSecrets, ...placedSecrets];

/** Names of parameters that say their value is secret, in the languages served. */
export const secretNames: readonly string[] = [
  'password', 'Password', 'db_password', 'newPassword', 'PASSWD', 'pwd', 'pass', 'passphrase', 'secret', 'clientSecret', 'client-secret', 'token',
  'accessToken', 'ACCESS_TOKEN', 'refresh_token', 'botToken', 'apiKey', 'api_key', 'x-api-key', 'API key', 'privateKey', 'authorization', 'Authorization',
  'auth', 'cookie', 'Set-Cookie', 'credentials', 'jwt', 'session_id', 'otp', 'connectionString',
  'パスワード', '暗証番号', 'APIキー', 'トークン', '密碼', '密码', '金鑰', 'contraseña', 'clave secreta', 'Passwort', 'Kennwort', 'API-Schlüssel',
  'mot de passe', 'motDePasse', 'senha', 'chave de API', '비밀번호', '토큰', 'API 키', 'пароль',
];

/** Names that sound alike and hold no secret. */
export const plainNames: readonly string[] = [
  'tokens', 'max_tokens', 'maxTokens', 'token_count', 'tokenType', 'password_length', 'has_password', 'forgotPassword', 'primaryKey', 'key', 'keyword',
  'public_key', 'nextPageToken', 'monkey', 'author', 'authority', 'passenger', 'compass', 'desenho', '암호화폐', 'トークン数', 'secretary', 'cookie_consent', 'key_id', 'token_id', 'key_value',
];
