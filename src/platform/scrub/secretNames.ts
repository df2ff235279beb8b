/** Words that say "password" wherever they stand in a name, letters only. */
const passwordWords = [
  'password', 'passwd', 'passphrase', 'passcode', 'passwort', 'kennwort', 'contraseña', 'contrasena', 'contrasenya',
  'motdepasse', 'palavrapasse', 'parolachiave', 'wachtwoord', 'lösenord', 'adgangskode', 'пароль', 'hasło', 'şifre', 'mậtkhẩu', 'katasandi',
  'パスワード', 'パスコード', 'パスフレーズ', '暗証番号', '合言葉', '密碼', '密码', '口令', '비밀번호', '패스워드',
];

/** Words that say "secret" wherever they stand in a name, letters only. */
const secretWords = [
  'apikey', 'apisecret', 'apitoken', 'secretkey', 'secretaccesskey', 'privatekey', 'clientsecret', 'credential', 'authorization', 'authtoken', 'accesstoken',
  'refreshtoken', 'bottoken', 'sessiontoken', 'bearertoken', 'connectionstring', 'connectstring', 'recoveryphrase', 'seedphrase', 'mnemonicphrase',
  'apischlüssel', 'geheimschlüssel', 'privaterschlüssel', 'geheimnis', 'zugangsdaten', 'anmeldedaten', 'zugangstoken',
  'claveapi', 'clavesecreta', 'claveprivada', 'clavedeacceso', 'clavedeapi', 'credencial', 'chaveapi', 'chavedeapi', 'chavesecreta', 'chaveprivada', 'chavedeacesso',
  'cléapi', 'clésecrète', 'cléprivée', 'clédapi', 'cleapi', 'jetondaccès', 'codesecret', 'identifiantsecret',
  'apiキー', '秘密鍵', 'シークレット', 'アクセスキー', 'アクセストークン', '認証情報', '認証トークン', '資格情報',
  '金鑰', '密鑰', '密钥', '私鑰', '私钥', '令牌', '存取權杖', '權杖', 'api키', '비밀키', '개인키', '시크릿', '액세스토큰', '인증토큰', '인증키',
];

/** Whole words, and ends of names after a divider, that say "secret". */
const secretEnds = new RegExp(
  `(?:^|_)(?:${[
    'secret', 'secrets', 'token', 'pwd', 'pass', 'passw', 'pw', 'psw', 'creds', 'cred', 'auth', 'cookie', 'cookies', 'jwt', 'bearer', 'otp', 'totp', 'mnemonic',
    'cvv', 'cvc', 'sid', 'sessid', 'sessionid', 'session_id', 'phpsessid', 'jsessionid', 'session_key', 'sas', 'sharedaccesssignature', 'pin_code', 'pincode',
    'senha', 'senhas', 'segredo', 'secreto', 'clave', 'geheim', 'jeton', 'parola', 'トークン', 'クッキー', '토큰', '암호', '쿠키',
    '(?:access|refresh|auth|bot|api|session|bearer|id|personal_access)_tokens',
    `(?:${[
      'api', 'access', 'secret', 'private', 'encryption', 'decryption', 'signing', 'sign', 'master', 'account', 'shared', 'auth', 'app', 'application',
      'service', 'storage', 'subscription', 'license', 'licence', 'ssh', 'deploy', 'host', 'hmac', 'aes', 'rsa', 'pgp', 'gpg', 'consumer', 'client', 'server',
      'webhook', 'bot', 'admin', 'root', 'functions', 'x_api', 'openai', 'anthropic', 'tls', 'ssl', 'vapid', 'recovery', 'backup',
    ].join('|')})_keys?`,
    '(?:secret|token|cookie)_(?:value|string|data|json|text|raw)', 'secret_id', '(?:auth|cookie|token)_(?:headers?|secret)', 'cookie_jar', 'key_(?:pem|secret|base64|b64|hex)',
    'auth_?key', 'x_auth', 'proxy_auth', 'access_?key', 'signature_key', 'shared_?access_?key', 'account_?key',
  ].join('|')})(?:_?\\d{1,3})?$`,
  'u',
);

/** A name that ends so speaks about a secret and does not hold one. */
const about = new RegExp(
  `_(?:${[
    'length', 'len', 'count', 'type', 'policy', 'strength', 'required', 'changed', 'expires?', 'expiry', 'expiration', 'expires_in', 'expires_at', 'at', 'ttl',
    'enabled', 'disabled', 'set', 'min', 'max', 'min_length', 'max_length', 'label', 'format', 'lifetime', 'url', 'uri', 'endpoint', 'placeholder', 'rules?',
    'errors?', 'visible', 'visibility', 'path', 'file', 'limit', 'budget', 'usage', 'name', 'names', 'field', 'manager', 'store', 'updated', 'created', 'date', 'methods?', 'supported',
    'santa', 'consent', 'status', 'version', 'valid', 'input', 'strategy', 'provider', 'service', 'class', 'index',
  ].join('|')})$`,
  'u',
);
const asks = /^(?:has|is|needs?|requires?|uses?|show|hide|forgot|forgotten|no|without|max|min|num|number_of|count|total|enable|disable|allow|validate|verify|check|get|generate|create|reset|change|update)_/u;
/** Tokens of language models and of paging are no secrets. */
const plainTokens = /(?:^|_)(?:page|next|prev|previous|next_page|continuation|continue|cursor|sync|max|min|num|per|stop|pad|eos|bos|mask|unk|sep|cls|special|first|last|prompt|completion|input|output|total|cancellation|csrf_param)_token$/u;

/** What every secret name in Latin letters holds a piece of: one quick look rules out nearly all names. */
const stem =
  /pas|pw|psw|secret|segredo|token|key|cred|auth|cookie|jwt|bearer|otp|mnemonic|cvv|cvc|sid|sess|sas|sharedaccess|pin_?code|connect|phrase|kennwort|contra|parola|woord|adgang|sandi|senha|clave|chave|cle|jeton|geheim|zugang|anmelde|identifiant|[^\0-\x7f]/iu;

const anywhere = new RegExp([...passwordWords, ...secretWords].join('|'), 'u');
const passwordAnywhere = new RegExp(`${passwordWords.join('|')}|(?:^|_)(?:pwd|pass|pw|psw|passw|senha|secret|암호|parola)(?:_?\\d{1,3})?$`, 'u');

/**
 * Whether the name of a parameter, field, header or variable says that its value is secret, in the languages served.
 * `accessToken`, `DB_PASSWORD` and `パスワード` do; `tokens`, `max_tokens`, `password_length` and `primaryKey` do not.
 */
export function isSecretName(name: string): boolean {
  if (name.length > 256 || !stem.test(name)) return false;
  const words = wordsOf(name);
  if (about.test(words) || asks.test(words) || plainTokens.test(words)) return false;
  return secretEnds.test(words) || anywhere.test(words.replaceAll('_', ''));
}

/** Whether the name means a password or plain "secret", for which every value is believed. */
export function isPasswordName(name: string): boolean {
  const words = wordsOf(name);
  return passwordAnywhere.test(words) || passwordAnywhere.test(words.replaceAll('_', ''));
}

/** `apiKey`, `API-Key` and `api key` all become `api_key`. */
function wordsOf(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '_')
    .replace(/^_|_$/g, '');
}
