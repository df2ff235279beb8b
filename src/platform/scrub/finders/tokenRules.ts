/** A secret that is known by its own shape: usually a prefix its issuer documents. */
export interface TokenRule {
  readonly rule: string;
  /** Regular expression source without captures; every repetition is bounded, so that matching stays linear. */
  readonly shape: string;
}

/** What follows a letter or digit is the middle of a word, not the beginning of one of these. */
export const tokenRules: readonly TokenRule[] = [
  // Cloud providers
  { rule: 'aws', shape: '(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA|AGPA|ANPA|ANVA|AIPA)[A-Z0-9]{16}(?![A-Z0-9])' },
  { rule: 'aws', shape: 'ABSK[A-Za-z0-9+/]{60,400}={0,2}' },
  { rule: 'gcp', shape: 'AIza[\\w-]{30,60}' },
  { rule: 'gcp', shape: 'ya29\\.[\\w.-]{20,2048}' },
  { rule: 'gcp', shape: 'GOCSPX-[\\w-]{20,60}' },
  { rule: 'gcp', shape: '1//0[\\w-]{30,512}' },
  { rule: 'azure', shape: '[\\w~.]{3}\\dQ~[\\w~.-]{31,40}' },
  { rule: 'alibaba', shape: 'LTAI[A-Za-z0-9]{12,30}(?![A-Za-z0-9])' },
  { rule: 'tencent', shape: 'AKID[A-Za-z0-9]{28,40}(?![A-Za-z0-9])' },
  { rule: 'digitalocean', shape: 'do[opr]_v1_[0-9a-f]{64}' },
  { rule: 'heroku', shape: 'HRKU-[\\w-]{30,80}' },
  { rule: 'vercel', shape: 'vc[apkir]_[A-Za-z0-9]{20,80}' },
  { rule: 'netlify', shape: 'nf[pcob]_[A-Za-z0-9]{30,60}' },
  { rule: 'cloudflare', shape: 'v1\\.0-[0-9a-f]{24}-[0-9a-f]{100,160}' },
  { rule: 'databricks', shape: 'dapi[0-9a-f]{32}(?:-\\d)?' },
  { rule: 'supabase', shape: '(?:sbp_[0-9a-f]{40}|sb_secret_[\\w-]{20,60})' },
  { rule: 'planetscale', shape: 'pscale_(?:tkn|pw|oauth)_[\\w.-]{30,80}' },
  { rule: 'neon', shape: 'napi_[a-z0-9]{40,80}' },
  { rule: 'tailscale', shape: 'tskey-[a-z]{2,12}-[\\w-]{16,100}' },

  // Model providers
  { rule: 'anthropic', shape: 'sk-ant-[\\w-]{16,256}' },
  { rule: 'openai', shape: 'sk-(?:proj|svcacct|admin|None|service|or-v1|or|lf|kimi)-[\\w-]{16,256}' },
  { rule: 'openai', shape: 'sk-[A-Za-z0-9]{20,256}' },
  { rule: 'openai', shape: 'sess-[A-Za-z0-9]{40}' },
  { rule: 'huggingface', shape: '(?:hf|api_org)_[A-Za-z0-9]{30,60}' },
  { rule: 'replicate', shape: 'r8_[A-Za-z0-9]{36,40}' },
  { rule: 'groq', shape: 'gsk_[A-Za-z0-9]{40,80}' },
  { rule: 'xai', shape: 'xai-[A-Za-z0-9]{40,100}' },
  { rule: 'perplexity', shape: 'pplx-[A-Za-z0-9]{40,80}' },
  { rule: 'nvidia', shape: 'nvapi-[\\w-]{40,100}' },
  { rule: 'cerebras', shape: 'csk-[a-z0-9]{40,80}' },
  { rule: 'pinecone', shape: 'pcsk_[A-Za-z0-9_]{40,100}' },
  { rule: 'novelai', shape: 'pst-[A-Za-z0-9]{40,100}' },
  { rule: 'elevenlabs', shape: 'sk_[0-9a-f]{40,64}' },
  { rule: 'langsmith', shape: 'lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}' },
  { rule: 'tavily', shape: 'tvly-[\\w-]{20,60}' },
  { rule: 'brave', shape: 'BSA[\\w-]{24,32}(?![\\w-])' },
  { rule: 'firecrawl', shape: 'fc-[0-9a-f]{32}' },

  // Code hosting, packages, delivery
  { rule: 'github', shape: 'gh[pousr]_[A-Za-z0-9]{20,255}' },
  { rule: 'github', shape: 'github_pat_\\w{20,255}' },
  { rule: 'gitlab', shape: 'gl(?:pat|dt|rt|rtr|ptt|cbt|ft|imt|agent|oas|soat|ffct|sk)-[\\w.-]{16,300}' },
  { rule: 'bitbucket', shape: 'AT(?:ATT3|CTT3|BB)[\\w=-]{24,300}' },
  { rule: 'npm', shape: 'npm_[A-Za-z0-9]{30,60}' },
  { rule: 'pypi', shape: 'pypi-[\\w-]{50,512}' },
  { rule: 'rubygems', shape: 'rubygems_[0-9a-f]{48}' },
  { rule: 'crates', shape: 'cio[A-Za-z0-9]{32}(?![A-Za-z0-9])' },
  { rule: 'nuget', shape: 'oy2[a-z0-9]{43}(?![A-Za-z0-9])' },
  { rule: 'docker', shape: 'dckr_(?:pat|oat)_[\\w-]{20,60}' },
  { rule: 'hashicorp', shape: 'hv[sbr]\\.[\\w-]{20,300}' },
  { rule: 'hashicorp', shape: '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{50,80}' },
  { rule: 'pulumi', shape: 'pul-[0-9a-f]{40}' },
  { rule: 'doppler', shape: 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{30,80}' },
  { rule: 'postman', shape: 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}' },

  // Messaging and mail
  { rule: 'slack', shape: 'xox[a-z](?:\\.xox[a-z])?-[\\w-]{10,300}' },
  { rule: 'slack', shape: 'xapp-\\d-[\\w-]{10,300}' },
  { rule: 'slack_webhook', shape: 'hooks\\.slack(?:-gov)?\\.com/(?:services|workflows|triggers)/[\\w/-]{10,200}' },
  { rule: 'discord_webhook', shape: '(?:discord|discordapp)\\.com/api/(?:v\\d{1,2}/)?webhooks/\\d{15,21}/[\\w-]{20,120}' },
  { rule: 'discord_bot', shape: '[A-Za-z0-9][\\w-]{22,30}\\.[\\w-]{6,7}\\.[\\w-]{27,60}' },
  { rule: 'discord_bot', shape: 'mfa\\.[\\w-]{60,120}' },
  { rule: 'telegram', shape: '(?:bot)?\\d{8,11}:[\\w-]{32,40}(?![\\w-])' },
  { rule: 'twilio', shape: '(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])' },
  { rule: 'sendgrid', shape: 'SG\\.[\\w-]{16,32}\\.[\\w-]{16,64}' },
  { rule: 'mailgun', shape: 'key-[0-9a-f]{32}' },
  { rule: 'mailchimp', shape: '[0-9a-f]{32}-us\\d{1,2}(?![A-Za-z0-9])' },
  { rule: 'sendinblue', shape: 'xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}' },
  { rule: 'teams_webhook', shape: 'webhook\\.office\\.com/webhookb2/[\\w@/-]{40,300}' },

  // Money and shops
  { rule: 'stripe', shape: '(?:[sr]k|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,255}' },
  { rule: 'stripe', shape: 'whsec_[A-Za-z0-9+/]{20,100}={0,2}' },
  { rule: 'square', shape: '(?:sq0[a-z]{3}-[\\w-]{22,60}|EAAA[\\w-]{56,64}(?![\\w-]))' },
  { rule: 'paypal', shape: 'access_token\\$(?:production|sandbox)\\$[0-9a-z]{16}\\$[0-9a-f]{32}' },
  { rule: 'shopify', shape: 'shp(?:at|ca|pa|ss|tka)_[0-9a-f]{32}' },

  // Work tools, observation
  { rule: 'notion', shape: '(?:secret|ntn)_[A-Za-z0-9]{40,60}' },
  { rule: 'linear', shape: 'lin_(?:api|oauth)_[A-Za-z0-9]{32,80}' },
  { rule: 'figma', shape: 'fig[dour]_[\\w-]{20,100}' },
  { rule: 'airtable', shape: 'pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}' },
  { rule: 'asana', shape: '\\d/\\d{10,20}(?:/\\d{10,20})?:[0-9a-f]{32}' },
  { rule: 'contentful', shape: 'CFPAT-[\\w-]{40,60}' },
  { rule: 'grafana', shape: 'gl(?:sa|c)_[A-Za-z0-9+/_]{30,400}={0,2}' },
  { rule: 'newrelic', shape: 'NR(?:AK|JS|II|RA|AA)-[A-Za-z0-9-]{20,64}' },
  { rule: 'sentry', shape: 'sntr[ysu]_[A-Za-z0-9+/=_-]{40,400}' },
  { rule: 'dynatrace', shape: 'dt0[a-z]\\d{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}' },
  { rule: 'posthog', shape: 'ph[xc]_[A-Za-z0-9]{40,60}' },
  { rule: 'dropbox', shape: 'sl\\.[\\w-]{60,2048}' },
  { rule: 'facebook', shape: 'EAA[A-Za-z0-9]{60,512}' },
  { rule: 'twitter', shape: 'A{18,30}[A-Za-z0-9%]{40,150}' },
  { rule: 'onepassword', shape: 'ops_eyJ[A-Za-z0-9+/=_-]{40,4096}' },

  // Formats rather than issuers
  { rule: 'jwt', shape: 'eyJ[\\w-]{8,1024}\\.[\\w-]{2,65536}(?:\\.[\\w-]{0,65536}){0,3}' },
  { rule: 'age', shape: 'AGE-SECRET-KEY-1[0-9A-Z]{20,64}' },
  { rule: 'wallet', shape: '[xyz]prv[A-Za-z0-9]{80,120}' },
];
