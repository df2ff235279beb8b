import { below, seededRandom, skewed } from './random.mjs';

/** Stands in about every second text. */
export const commonWord = 'weather';
/** Stands in about one text of 20,000. */
export const rareWord = 'quokka';
/** A common stretch of Japanese, and one that stands in about one text of 20,000. */
export const commonJapanese = '天気予報';
export const rareJapanese = '潜水調査';

const syllables = ['ba', 'chi', 'dor', 'el', 'fi', 'gra', 'hu', 'in', 'jo', 'kel', 'lum', 'mo', 'nar', 'os', 'pri', 'qua', 'ri', 'sto', 'tan', 'ul', 'ver', 'wi', 'xen', 'yo', 'zu'];
const phrases = ['今日の', '明日の', '東京の', '大阪の', '会議の', '資料を', '予定を', '料理の', '電車の', '時刻表を', '翻訳を', '要約を', 'ニュースを', 'まとめて', '調べて', '教えてください', '検索して', '送って', '作って', 'ください'];

/** @returns word number `index` of a vocabulary of any size */
export function wordAt(index) {
  let word = '';
  for (let rest = index + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length)) word += syllables[rest % syllables.length];
  return word;
}

const vocabulary = Array.from({ length: 20_000 }, (_, index) => wordAt(index));

/** Makes texts as people and tools write them: frequent words, rare ones, some Japanese. */
export function textMaker(seed) {
  const random = seededRandom(seed);
  return (words) => {
    if (random() < 0.1) return japanese(random, Math.ceil(words / 3));
    const picked = Array.from({ length: words }, () => vocabulary[skewed(random, vocabulary.length)]);
    if (random() < 0.5) picked[below(random, words)] = commonWord;
    if (random() < 0.00005) picked[below(random, words)] = rareWord;
    return picked.join(' ');
  };
}

function japanese(random, pieces) {
  const picked = Array.from({ length: pieces }, () => phrases[below(random, phrases.length)]);
  if (random() < 0.5) picked.push(commonJapanese);
  if (random() < 0.0005) picked.push(rareJapanese);
  return picked.join('');
}
