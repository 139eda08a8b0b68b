// Each check returns the rule that a value breaks, or `undefined`.

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

/** Checks a DNS-1123 label: names of namespaces, and parts of most other names. */
export function checkDns1123Label(value: string): string | undefined {
  if (value.length > 63) return "at most 63 characters";
  if (new RegExp(`^${label}$`).test(value)) return undefined;
  return "lower-case letters, digits and '-', with a letter or digit at both ends";
}

/** Checks a DNS-1123 subdomain: labels separated by dots. */
export function checkDns1123Subdomain(value: string): string | undefined {
  if (value.length > 253) return "at most 253 characters";
  if (new RegExp(`^${label}(\\.${label})*$`).test(value)) return undefined;
  return "lower-case letters, digits, '-' and '.', with a letter or digit at the ends of each part";
}

/** Checks a DNS-1035 label: names of services, and plurals of kinds. */
export function checkDns1035Label(value: string): string | undefined {
  if (value.length > 63) return "at most 63 characters";
  if (/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(value)) return undefined;
  return "lower-case letters, digits and '-', a letter first, a letter or digit last";
}

/** Checks an API version as CRDs and the server's version order define it. */
export function checkApiVersion(value: string): string | undefined {
  return /^v[1-9]\d*((alpha|beta)[1-9]\d*)?$/.test(value) ? undefined : "like v1, v1beta2 or v1alpha1";
}

/** Checks a kind, which must be a valid type name in TypeScript, too. */
export function checkKindName(value: string): string | undefined {
  if (!/^[A-Z][A-Za-z0-9]*$/.test(value)) return "UpperCamelCase, letters and digits only, like Memcached";
  if (value.length > 63) return "at most 63 characters";
  return globalNames.has(value) ? "not the name of a global of JavaScript or TypeScript" : undefined;
}

const globalNames = new Set(
  (
    "AbortController AbortSignal Array ArrayBuffer Atomics BigInt Blob Boolean Buffer DataView Date Error Event EventTarget " +
    "Exclude Extract File FormData Function Headers Infinity Intl Iterator JSON List Map Math NaN NonNullable Number Object " +
    "Omit Parameters Partial Performance Pick Promise Proxy Range Readonly Record Reflect RegExp Request Required Response " +
    "ReturnType Set String Symbol URL WeakMap WeakRef WeakSet WebAssembly WebSocket"
  ).split(" "),
);

/** Returns the plural of a lower-case word as flect forms it (`memcached` → `memcacheds`, `policy` → `policies`). */
export function pluralize(word: string): string {
  const { words, endings } = (rules ??= readRules());
  const known = words.find(({ singular }) => singular === word);
  if (known) return known.plural;
  if (words.some((entry) => !entry.sharedPlural && (entry.plural === word || entry.other === word))) return word;
  for (const { singular, plural } of endings) {
    if (word.endsWith(plural)) return word;
    if (word.endsWith(singular)) return word.slice(0, word.length - singular.length) + plural;
  }
  return word.endsWith("s") ? word : `${word}s`;
}

interface Ending {
  readonly singular: string;
  readonly plural: string;
}

interface Word extends Ending {
  readonly other: string | undefined;
  readonly exact: boolean;
  readonly sharedPlural: boolean;
}

let rules: { readonly words: readonly Word[]; readonly endings: readonly Ending[] } | undefined;

/** Reads the irregular words, and the endings, of which the first that fits counts. */
function readRules(): NonNullable<typeof rules> {
  const words = split(irregularWords).map((entry): Word => {
    const [, marks, singular, plural, other] = /^([=>]*)([^:|]+)(?::([^|]+))?(?:\|(.+))?$/.exec(entry)!;
    return {
      singular: singular!,
      plural: plural ?? singular!,
      other,
      exact: marks!.includes("="),
      sharedPlural: marks!.includes(">"),
    };
  });
  const endings = split(pluralEndings).map((entry): Ending => {
    const [singular, plural] = entry.split(":") as [string, string];
    return { singular, plural };
  });
  return { words, endings: [...words.filter(({ exact }) => !exact).toReversed(), ...endings] };
}

function split(list: string): string[] {
  return list.trim().split(/\s+/);
}

/**
 * Irregular plurals of flect, which every Kubernetes tool uses: `singular:plural|other plural`. `=` marks a word that
 * is not the ending of another word; `>` one whose plural also belongs to another word.
 */
const irregularWords = `
  aircraft beef|beefs bison >blues chassis deer fish|fishes moose police salmon|salmons series sheep
  shrimp|shrimps species swine|swines trout|trouts tuna|tunas you child:children =ox:oxen foot:feet goose:geese
  man:men human:humans =louse:lice mouse:mice tooth:teeth woman:women =die:dice person:people adieu:adieux|adieus
  fabliau:fabliaux bureau:bureaus|bureaux criterion:criteria ganglion:ganglia|ganglions lexicon:lexica|lexicons
  mitochondrion:mitochondria|mitochondrions noumenon:noumena phenomenon:phenomena taxon:taxa media
  >medium:media|mediums stadium:stadiums|stadia aquarium:aquaria|aquariums auditorium:auditoria|auditoriums
  symposium:symposia|symposiums curriculum:curriculums|curricula quota:quotas alumnus:alumni|alumnuses
  bacillus:bacilli cactus:cacti|cactuses coccus:cocci focus:foci|focuses locus:loci|locuses
  nucleus:nuclei|nucleuses octopus:octupuses|octopi radius:radii|radiuses syllabus:syllabi corpus:corpora|corpuses
  genus:genera alumna:alumnae vertebra:vertebrae differentia:differentiae minutia:minutiae vita:vitae larva:larvae
  postcava:postcavae praecava:praecavae uva:uvae apex:apices|apexes codex:codices|codexes index:indices|indexes
  latex:latices|latexes vertex:vertices|vertexes vortex:vortices|vortexes appendix:appendices|appendixes
  radix:radices|radixes helix:helices|helixes =axis:axes crisis:crises >ellipsis:ellipses genesis:geneses
  oasis:oases thesis:theses testis:testes base:bases >basis:bases =alias:aliases vedalia:vedalias =use:uses
  abuse:abuses cause:causes clause:clauses cruse:cruses excuse:excuses fuse:fuses house:houses misuse:misuses
  muse:muses pause:pauses ache:aches topaz:topazes buffalo:buffaloes|buffalos potato:potatoes tomato:tomatoes
  equipment information jeans money news rice dwarf:dwarfs|dwarves hoof:hoofs|hooves thief:thieves chive:chives
  hive:hives move:moves movie:movies cookie:cookies pretorium:pretoriums agenda:agendas formula:formulas|formulae
  shoe:shoes =toe:toes graffiti
`;

/** Plurals by ending, the first match applies: `ending:plural ending`. */
const pluralEndings = `
  tive:tives eaf:eaves oaf:oaves afe:aves arf:arves rfe:rves rf:rves lf:lves fe:ves ay:ays ey:eys oy:oys quy:quies
  uy:uys y:ies eau:eaux bula:bulae dula:bulae lula:bulae nula:bulae vula:bulae hedron:hedra ium:ia seum:seums
  eum:ea oum:oa stracum:straca dum:da elum:ela ilum:ila olum:ola ulum:ula llum:lla ylum:yla imum:ima ernum:erna
  gnum:gna brum:bra crum:cra terum:tera serum:sera trum:tra antum:anta atum:ata entum:enta etum:eta itum:ita
  otum:ota utum:uta ctum:cta ovum:ova trix:trices iasis:iases mesis:meses kinesis:kineses resis:reses
  gnosis:gnoses opsis:opses ysis:yses ouse:ouses lause:lauses us:uses ch:ches io:ios sh:shes ss:sses ez:ezzes
  iz:izzes tz:tzes zz:zzes ano:anos lo:los to:tos oo:oos o:oes x:xes
`;
