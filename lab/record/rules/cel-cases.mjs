/** A value of every type that rules can read, and expressions about it. */
export const schema = {
  type: "object",
  properties: {
    i: { type: "integer" },
    d: { type: "number" },
    s: { type: "string", maxLength: 64 },
    b: { type: "boolean" },
    ints: { type: "array", maxItems: 10, items: { type: "integer" } },
    names: { type: "array", maxItems: 10, items: { type: "string", maxLength: 10 } },
    set: { type: "array", maxItems: 10, items: { type: "string", maxLength: 10 }, "x-kubernetes-list-type": "set" },
    map: { type: "object", maxProperties: 10, additionalProperties: { type: "string", maxLength: 10 } },
    items: {
      type: "array",
      maxItems: 10,
      items: {
        type: "object",
        required: ["k"],
        properties: { k: { type: "string", maxLength: 10 }, v: { type: "integer" } },
      },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
    },
    time: { type: "string", format: "date-time" },
    day: { type: "string", format: "date" },
    span: { type: "string", format: "duration" },
    bytes: { type: "string", format: "byte", maxLength: 20 },
    port: { "x-kubernetes-int-or-string": true },
    percent: { "x-kubernetes-int-or-string": true },
    none: { type: "string", nullable: true, maxLength: 5 },
    absent: { type: "string", maxLength: 5 },
    "a-b": { type: "integer" },
    "c.d": { type: "integer" },
    "e/f": { type: "integer" },
    __g: { type: "integer" },
    namespace: { type: "string", maxLength: 5 },
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    child: { type: "object", properties: { x: { type: "integer" }, y: { type: "integer" } } },
    quantity: { type: "string", maxLength: 20 },
  },
};

export const value = {
  i: 5,
  d: 1.5,
  s: "hello wörld",
  b: true,
  ints: [3, 1, 2],
  names: ["a", "b", "a"],
  set: ["x", "y"],
  map: { k1: "v1", k2: "v2" },
  items: [{ k: "a", v: 1 }, { k: "b" }],
  time: "2024-02-29T12:34:56.789Z",
  day: "2024-01-02",
  span: "1h30m5s",
  bytes: "aGk=",
  port: 80,
  percent: "50%",
  none: null,
  "a-b": 1,
  "c.d": 2,
  "e/f": 3,
  __g: 4,
  namespace: "ns",
  free: { z: 1 },
  child: { x: 1 },
  quantity: "1500m",
};

export const rules = `
self.i == 5
self.i != 5
self.i > 4 && self.i < 6
self.i + 1 == 6 && self.i - 1 == 4 && self.i * 2 == 10 && self.i / 2 == 2 && self.i % 2 == 1
-self.i == -5
self.i / 0 == 1
self.i % 0 == 1
9223372036854775807 + self.i > 0
-9223372036854775808 - self.i > 0
self.i == 5.0
self.d == 1.5
self.d < self.i
self.i >= 4.5
self.d + 1 == 2.5
self.d / 0.0 > 1.0
self.i == uint(5)
uint(5) == 5u
self.i == 'x'
self.b
!self.b
self.b ? true : false
self.b ? 1 : 'x'
self.s == "hello wörld"
self.s.size() == 11 && size(self.s) == 11
self.s.startsWith('hello') && self.s.endsWith("rld") && self.s.contains('o w')
self.s.matches('^h.*d$')
self.s.matches('(?i)^HELLO')
matches(self.s, 'w.r')
self.s.matches('[')
self.s.matches(self.s + '[')
self.s.matches('a(?=b)')
self.s.find('[a-z]+') == 'hello'
self.s.findAll('o').size() == 1
self.s.findAll('[a-z]+', 1) == ['hello']
self.s.charAt(1) == 'e' && self.s.charAt(7) == 'ö'
self.s.charAt(11) == ''
self.s.charAt(12) == ''
self.s.indexOf('l') == 2 && self.s.indexOf('l', 3) == 3 && self.s.indexOf('zz') == -1
self.s.indexOf('', 3) == 3
self.s.indexOf('l', 20) == 1
self.s.lastIndexOf('l') == 9 && self.s.lastIndexOf('l', 5) == 3
self.s.lastIndexOf('') == 11
'ABC'.lowerAscii() == 'abc' && 'abcÖ'.upperAscii() == 'ABCÖ'
self.s.replace('l', 'L') == 'heLLo wörLd'
self.s.replace('l', 'L', 1) == 'heLlo wörld'
'ab'.replace('', '-') == '-a-b-'
self.s.split(' ') == ['hello', 'wörld']
'a,b,c'.split(',', 2) == ['a', 'b,c']
'a,b'.split(',', 0) == []
'abc'.split('') == ['a', 'b', 'c']
self.s.substring(6) == 'wörld' && self.s.substring(0, 5) == 'hello'
self.s.substring(12) == ''
self.s.substring(3, 2) == ''
'  a '.trim() == 'a'
['a', 'b'].join() == 'ab' && ['a', 'b'].join('-') == 'a-b'
strings.quote('a"b') == '"a\\\\"b"'
"%s is %d, %.2f, %x".format(['a', 5, 1.5, 255]) == 'a is 5, 1.50, ff'
"%s".format([[1, 2]]) == '[1, 2]'
"%s".format([{'a': 1}]) == '{a: 1}'
"%b %o %X".format([5, 8, 255]) == '101 10 FF'
"%e".format([1234.5]) == '1.234500e+03'
"%d".format(['a']) == ''
"%s %s".format(['a']) == ''
self.s.reverse() == ''
self.ints[0] == 3
self.ints[3] == 1
self.ints[self.i] == 1
self.ints.size() == 3
1 in self.ints && !(9 in self.ints)
self.ints.all(x, x > 0)
self.ints.exists(x, x == 2)
self.ints.exists_one(x, x == 2)
self.ints.existsOne(x, x > 1)
self.ints.filter(x, x > 1) == [3, 2]
self.ints.map(x, x * 2) == [6, 2, 4]
self.ints.map(x, x > 1, x * 2) == [6, 4]
self.ints.all(x, 1 / (x - 3) == 0 || x == 3)
self.ints.exists(x, 1 / (x - 3) == 1)
self.ints.isSorted()
[1, 2, 3].isSorted()
self.ints.sum() == 6 && self.ints.min() == 1 && self.ints.max() == 3
[].min() == 1
self.ints.filter(x, x > 9).min() == 1
self.ints.indexOf(1) == 1 && self.ints.lastIndexOf(9) == -1
self.ints.sort() == [1, 2, 3]
self.ints.reverse() == [2, 1, 3]
self.ints.slice(0, 2) == [3, 1]
self.ints.slice(2, 9) == [3, 1]
self.names.distinct() == ['a', 'b']
[[1, 2], [3]].flatten() == [1, 2, 3]
self.items.sortBy(e, e.k).map(e, e.k) == ['a', 'b']
lists.range(3) == [0, 1, 2]
self.ints.first().value() == 3 && self.ints.last().hasValue()
self.ints + [4] == [3, 1, 2, 4]
self.set == ['y', 'x']
self.set + ['x', 'z'] == ['x', 'y', 'z']
self.set.all(x, x != '')
sets.contains(self.ints, [1, 2]) && sets.intersects(self.ints, [1, 9]) && sets.equivalent([1, 1], [1])
self.items.all(e, has(e.v))
self.items.filter(e, has(e.v)).size() == 1
self.items[0].v == 1
self.items[1].v == 1
self.items.exists(e, e.k == 'b' && !has(e.v))
self.map['k1'] == 'v1' && self.map.k2 == 'v2'
self.map['zz'] == 'a'
self.map.zz == 'a'
'k1' in self.map && !('zz' in self.map)
self.map.size() == 2
self.map.all(k, k.startsWith('k'))
self.map.exists(k, self.map[k] == 'v2')
self.map.map(k, k).size() == 2
self.map.all(k, v, k.size() == v.size())
self.ints.all(i, v, i < 3 && v > 0)
self.map.transformList(k, v, k + v).size() == 2
self.map.transformMap(k, v, v.size()) == {'k1': 2, 'k2': 2}
self.map.transformMapEntry(k, v, {v: k}) == {'v1': 'k1', 'v2': 'k2'}
self.ints.transformList(i, v, v > 1, i) == [0, 2]
{'a': 1, 'b': 2}['a'] == 1
{1: 'a'}[1] == 'a'
{'a': 1, 'a': 2}.size() == 1
{'a': 1, 'b': 'x'}.size() == 2
[1, 'a'].size() == 2
[1, dyn('a')].size() == 2
has(self.s) && !has(self.absent)
has(self.none)
self.none == null
self.absent == 'x'
has(self.free.z)
self.free.z == 1
has(self.child.x) && !has(self.child.y)
self.child.y == 1
self.child.zz == 1
self.zz == 1
has(self.zz)
self.a__dash__b == 1 && self.c__dot__d == 2 && self.e__slash__f == 3 && self.__underscores__g == 4
self.__namespace__ == 'ns'
self.namespace == 'ns'
self.time > timestamp('2024-01-01T00:00:00Z')
self.time.getFullYear() == 2024 && self.time.getMonth() == 1 && self.time.getDate() == 29 && self.time.getDayOfMonth() == 28
self.time.getDayOfWeek() == 4 && self.time.getDayOfYear() == 59 && self.time.getHours() == 12 && self.time.getMilliseconds() == 789
self.time.getHours('+02:00') == 14 && self.time.getHours('America/New_York') == 7
self.time.getHours('Nowhere/Land') == 1
self.time + duration('1h') == timestamp('2024-02-29T13:34:56.789Z')
self.time - timestamp('2024-02-29T12:34:56Z') == duration('789ms')
string(self.time) == '2024-02-29T12:34:56.789Z'
timestamp('nope') == self.time
timestamp(0) == timestamp('1970-01-01T00:00:00Z')
int(self.time) == 1709210096
self.day == timestamp('2024-01-02T00:00:00Z')
self.span == duration('90m5s')
self.span.getHours() == 1 && self.span.getMinutes() == 90 && self.span.getSeconds() == 5405
string(self.span) == '5405s'
duration('1.5h') > self.span
duration('x') > self.span
self.bytes == b'hi'
size(self.bytes) == 2
string(self.bytes) == 'hi'
self.port == 80
self.port == '80'
type(self.port) == int
self.port > 79
self.percent == '50%'
self.percent > 5
self.percent + 1 == 2
self.percent.endsWith('%')
type(self.percent) == string && type(self.i) == int && type(self.d) == double && type(self.ints) == list
type(self.time) == google.protobuf.Timestamp
int('12') == 12 && int(3.9) == 3 && double('1.5') == 1.5 && string(1.5) == '1.5' && bool('true')
int('x') == 1
int(1e30) == 1
string(1000000.0) == '1e+06'
string(123456.0) == '123456'
string(0.00001) == '1e-05'
string(0.5) == '0.5'
string(-1.0) == '-1'
double('x') == 1.0
bool('maybe')
self.?absent.orValue('x') == 'x'
self.?s.hasValue()
self.?child.?y.orValue(7) == 7
self.map[?'zz'].orValue('d') == 'd'
self.ints[?9].hasValue()
self.?absent.value() == 'x'
optional.of(1).value() == 1 && !optional.none().hasValue()
self.?i.optMap(x, x + 1).orValue(0) == 6
self.?i.optFlatMap(x, optional.of(x)).value() == 5
self.?absent.or(self.?s).value() == self.s
optional.ofNonZeroValue(0).hasValue()
[1, ?self.?child.?y, ?self.?child.?x] == [1, 1]
{?'a': self.?absent, 'b': self.s}.size() == 1
[optional.of(1), optional.none()].unwrapOpt() == [1]
self.absent.orValue('x') == 'x'
quantity(self.quantity) == quantity('1.5')
quantity('1Gi').isGreaterThan(quantity('1G')) && quantity('1k').isLessThan(quantity('1M'))
quantity('1').compareTo(quantity('1000m')) == 0
quantity('50Mi').add(quantity('50Mi')) == quantity('100Mi')
quantity('3').sub(1).asInteger() == 2
quantity('1.5').isInteger()
quantity('1.5').asInteger() == 1
quantity('0.5').asApproximateFloat() == 0.5
quantity('-5').sign() == -1
sign(quantity('-5')) == -1
isQuantity('1Gi') && !isQuantity('1Zi') && !isQuantity('')
quantity('x').sign() == 1
ip('127.0.0.1').isLoopback() && ip('::1').family() == 6 && ip('10.0.0.1').isGlobalUnicast()
ip('fe80::1').isLinkLocalUnicast() && ip('224.0.0.1').isLinkLocalMulticast() && ip('0.0.0.0').isUnspecified()
ip.isCanonical('::1') && !ip.isCanonical('0:0::1')
isIP('1.2.3.4') && !isIP('1.2.3') && !isIP('::ffff:1.2.3.4')
ip('x') == ip('::1')
string(ip('2001:DB8::1')) == '2001:db8::1'
cidr('10.0.0.0/8').containsIP('10.1.2.3') && cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')
cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8') && cidr('10.0.0.0/8').prefixLength() == 8
cidr('10.0.0.0/8').ip() == ip('10.0.0.0') && string(cidr('::/0')) == '::/0'
isCIDR('10.0.0.0/8') && !isCIDR('10.0.0.0') && !isCIDR('10.0.0.0/33')
cidr('x').prefixLength() == 1
url('https://u:p@example.com:80/a%20b?x=1&x=2#f').getHost() == 'example.com:80'
url('https://example.com:80/a').getHostname() == 'example.com' && url('https://e.com:80/a').getPort() == '80'
url('https://e.com/a b?x=1&x=2').getEscapedPath() == '/a%20b'
url('https://e.com/?x=1&x=2').getQuery() == {'x': ['1', '2']}
url('https://[::1]:80/').getHostname() == '::1' && url('/path').getScheme() == ''
isURL('https://e.com') && isURL('/a') && !isURL('e.com') && !isURL('../x')
url('nope') == url('/a')
format.dns1123Label().validate('my-name').hasValue()
format.dns1123Label().validate('My_Name').value().size() == 1
format.named('dns1123Subdomain').hasValue() && !format.named('zz').hasValue()
format.uuid().validate('x').value() == ['does not match the UUID format']
semver('1.2.3').major() == 1 && semver('1.2.3').isLessThan(semver('1.10.0')) && isSemver('1.0.0') && !isSemver('1.0')
semver('1.2.3-rc.1').compareTo(semver('1.2.3')) == -1
semver('v1.2', true).patch() == 0
semver('x').major() == 1
foo
foo(1)
self.foo(1)
self.s.foo()
1 + 'a' == 1
self.s + 1 == ''
self.s.startsWith(1)
self.i.startsWith('a')
self.i.x == 1
self.s.x == 1
self.i && true
self.ints.all(x, x)
self.ints.filter(x, x)
self.ints.exists(1, true)
self.i.all(x, true)
has(self)
self.ints.map(x, y).size() == 1
1 +
self..i == 1
(self.i == 1
'abc
self.i == 1 ||
self.i = 5
for == 1
5
'text'
self
math.greatest(1, 2) == 2
cel.bind(x, 1, x == 1)
oldSelf == self
true || self.i / 0 == 1
self.i / 0 == 1 || true
false && self.i / 0 == 1
self.i / 0 == 1 && false
self.child == self.child
self.child == {'x': 1}
dyn(self.i) == dyn(5.0)
dyn(self.i) == 'x'
dyn(self.i) in [5.0]
self.ints == self.ints && self.map == self.map && self.items == self.items
self.b == true && self.b != false
'a' < 'b' && 'b' <= 'b' && b'a' < b'b' && false < true
r'a\\d' == 'a\\\\d' && '\\u00e9' == 'é' && "it's" == 'it\\'s'
'''a"b''' == 'a"b'
0x1F == 31 && 1e3 == 1000.0 && .5 == 0.5
`
  .trim()
  .split("\n");

/** Expressions whose text is recorded, as messageExpression shows it. */
export const texts = `
"%s".format([{'a': 1, 'b': 2}])
"%s %s %s".format([[1, 2], 1.5, true])
"%s".format([timestamp(0)])
"%s".format([duration('1h1s')])
"%s".format([['a', 'b']])
"%s".format([null])
"%s".format([type(1)])
"%s".format([{'a': 'b', 'c': ['d']}])
"%.0f %.0f %.2f".format([0.5, 1.5, 1.005])
"%s".format([b'abc'])
"%e %f %.1f".format([1234.5, 1.5, 2.25])
"%.3e".format([0.00012345])
"%d %b %o %x %X".format([-5, true, 8, 'hi', 255])
strings.quote('a"b\\\\c\\n')
string(1.0)
string(1e21)
string(123456789.0)
string(0.0001)
string(0.1)
string(duration('1h1ms'))
string(duration('-1.5s'))
string(timestamp('2024-01-01T00:00:00.120Z'))
string(ip('0:0::1'))
string(cidr('2001:db8::1/32').masked())
url('https://e.com:80/a%2Fb c/ä?x=1#f').getEscapedPath()
url('https://u@e.com:80').getHost()
format.dns1123Label().validate('My').value()[0]
format.dns1123Label().validate('').value()[0]
format.dns1123Label().validate('a.b').value()[0]
format.dns1123Label().validate('äääääääääääääääääääääääääääääääää').value()[0]
format.dns1123LabelPrefix().validate('a-').hasValue() ? 'refused' : 'accepted'
format.dns1123LabelPrefix().validate('A-').hasValue() ? 'refused' : 'accepted'
format.dns1123Subdomain().validate('a..b').value()[0]
format.dns1035Label().validate('1a').value()[0]
format.qualifiedName().validate('a/b/c').value()[0]
format.qualifiedName().validate('/b').value()[0]
format.qualifiedName().validate('A_b/').value()[0]
format.qualifiedName().validate('äääääääääääääääääääääääääääääääää').value()[0]
format.labelValue().validate('-x').value()[0]
format.labelValue().validate('äääääääääääääääääääääääääääääääää').value()[0]
format.uri().validate('x y').value()[0]
format.uuid().validate('x').value()[0]
format.byte().validate('*').value()[0]
format.date().validate('x').value()[0]
format.datetime().validate('x').value()[0]
string(quantity('1.5Ki').add(quantity('1k')) == quantity('2536'))
`
  .trim()
  .split("\n");

/** Expressions whose cost is recorded. */
export const costRules = `
self.names.join(',').size() > 1
self.names.filter(x, x != '').join(',').size() > 1
self.names.map(x, x + self.s).all(x, x.size() > 0)
self.s.replace('a', 'bbb').size() > 1
self.s.replace(self.quantity, self.s).size() > 1
self.s.split(',').all(x, x.size() > 1)
self.s.split(',', 3).all(x, x.size() > 1)
self.s.lowerAscii().trim().contains('x')
(self.b ? self.s : self.quantity) == 'x'
self.ints.map(x, self.ints.map(y, x * y)).all(l, l.sum() > 1)
self.items.all(e, self.items.exists_one(f, f.k == e.k))
self.items.map(e, e.k).isSorted()
self.names.isSorted() && self.names.max() == 'a' && self.names.indexOf('b') == 1
self.map.all(k, k.size() < 5 && self.map[k].size() < 5)
self.map.transformList(k, v, k + v).all(x, x.size() > 1)
self.names.distinct().size() == self.names.size()
self.names.sort()[0] == 'a'
self.ints.sort()[0] == 1
self.ints.reverse().slice(0, 2).size() == 2
[self.ints, self.ints].flatten().size() > 1
sets.contains(self.names, ['a', 'b'])
sets.equivalent(self.names, self.set)
sets.intersects(self.ints, [1])
self.names + self.set == self.names
self.s in self.names
self.s in ['a', 'b', 'c']
self.s < self.quantity
self.s != self.quantity
self.child == self.child
self.items == self.items
self.port == 5
self.percent == 'x'
dyn(self.s) == 'x'
self.bytes == b'abc'
self.time < timestamp('2024-01-01T00:00:00Z')
string(self.bytes).size() > 1 && bytes(self.s).size() > 1
string(self.i).size() > 1
self.s.find('[a-z]+').size() > 1
self.s.findAll('[a-z]+').all(x, x.size() > 1)
self.s.format([1]).size() > 1
strings.quote(self.s).size() > 1
ip(self.s) == ip('1.2.3.4')
cidr('10.0.0.0/8').containsIP(self.s) && cidr(self.s).containsCIDR('10.0.0.0/16')
url(self.s) == url('/a')
url(self.s).getHost().size() > 1
format.dns1123Label().validate(self.s).hasValue()
self.?absent.optMap(x, x.size()).orValue(0) > 1
self.?child.?x.orValue(1) == 1
[self.s, self.quantity].all(x, x.size() > 1)
{'a': self.s}.all(k, k == 'a')
self.items.filter(e, e.k == 'a')[0].k == 'a'
self.items.filter(e, e.k == 'a').map(e, e.k).all(k, k == 'a')
self.items.sortBy(e, e.k)[0].v == 1
self.items.exists(e, e.k.startsWith(self.s) && e.k.matches('^[a-z]+$'))
lists.range(10).all(i, i < 10)
self.s.matches(self.quantity)
self.s.charAt(0) == 'a' && self.s.indexOf('a') == 1 && self.s.substring(0, 2) == 'ab'
`
  .trim()
  .split("\n");
