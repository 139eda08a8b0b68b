/** Expressions whose cost at run time is recorded, in addition to cel-cases.mjs. `self` is the value there. */
const long = "'abcdefghijklmnopqrstuvwxyzäöü0123456789'";
const longer = `(${long} + ${long} + ${long} + self.s)`;
const longList = "lists.range(30)";
const longTexts = `${longList}.map(i, ${long})`;

export const runCostRules = `
self
self.child.x
self['child']['x']
self.ints[self.ints[1]]
self.ints[1 + 1]
self.ints[self.b ? 0 : 1]
self.ints[int('1')]
self.ints[self.items[0].v]
self.ints[-1]
self.ints[99]
self.map['k1']
self.map[self.items[0].k + '1']
self.map[?'k1']
self.map[?'zz']
self.map[?self.s].hasValue()
self.ints[?0].value()
self.ints[?99].orValue(7)
self.?child.?x
self.?absent.?x.?y
self.?absent.orValue('zz')
self.?absent.or(self.?s)
self.?s.or(self.?absent)
self.?absent.hasValue()
self.?s.value()
self.?absent.value()
has(self.child)
has(self.child.x)
has(self.absent)
has(self.free.zz)
has(self.map.zz)
has(self.child) && has(self.child.x)
has(self.items[0].v)
has(self.items.filter(e, e.k == 'b')[0].v)
has({'a': self.s}.a)
self.free.z
self.free.zz
self.absent
self.absent == 'a' || true
true || self.absent == 'a'
self.absent == 'a' && false
false && self.absent == 'a'
self.i / 0 > 1 ? 1 : 2
(self.i / 0 == 1) == true || true
size(self.absent) == 1 || true
self.absent + self.s == 'a' || true
self.s + self.absent == 'a' || true
self.s.replace(self.absent, 'a') == 'a' || true
self.absent.replace('a', 'b') == 'a' || true
self.absent.startsWith(${long}) || true
${long}.startsWith(self.absent) || true
${long}.contains(self.absent) || true
self.absent.contains(${long}) || true
self.absent.matches('abcdefghijklmnopqrst') || true
self.absent in ['a', self.s] || true
self.s in [self.absent] || true
self.absent in self.names || true
self.map[?self.absent].hasValue() || true
self.names.join(self.absent) == '' || true
self.absent.indexOf('ab') == 0 || true
self.absent.find('abcdefghijklmnop') == '' || true
self.absent.find(self.s) == '' || true
self.absent.matches(string('abcdefghijklmnop')) || true
'%s'.format([self.absent]) == '' || true
self.absent.format([self.s]) == '' || true
-(self.i / 0) == 1 || true
!(self.i / 0 == 1) || true
[self.absent, self.s] == [] || true
[self.s, self.absent] == [] || true
{'a': self.absent}.size() == 1 || true
{self.absent: 'a'}.size() == 1 || true
(self.b ? self.absent : 'a') == 'a' || true
self.child[self.absent] == 1 || true
self.ints[self.i / 0] == 1 || true
self.items.filter(e, e.v > 0).size() == 1 || true
self.items.map(e, e.v).size() == 1 || true
self.items.all(e, e.v > 0) || true
self.items.exists(e, e.v > 1) || true
self.items.exists_one(e, e.v > 1) || true
self.items.exists(e, e.v == 1)
self.items.all(e, e.k == 'zz' && e.v > 1)
self.ints.all(x, 1 / (x - 3) < 5)
self.ints.exists(x, 1 / (x - 3) > 5)
self.ints.exists(x, 1 / (x - 3) == 0)
[1, 2, 3].all(x, x > 0)
[1, 2, 3].exists(x, x == 1)
[1, 2, 3].exists(x, x == 3)
[1, 2, 3].exists_one(x, x == 3)
[1, 2, 3].exists_one(x, x > 0)
[1, 2, 3].filter(x, x > 1)
[1, 2, 3].map(x, x + 1)
[1, 2, 3].map(x, x > 1, x + 1)
[].all(x, x == 1)
[].map(x, x)
[].exists_one(x, x == 1)
{'a': 1, 'b': 2}.all(k, k != 'c')
{'a': 1, 'b': 2}.map(k, k)
{'a': 1, 'b': 2}.filter(k, k == 'a')
self.map.all(k, k.size() == 2)
self.map.exists(k, k == 'zz')
self.map.exists_one(k, k == 'k1')
[1, 2, 3].all(i, v, i < v)
[1, 2, 3].exists(i, v, i + v == 5)
[1, 2, 3].existsOne(i, v, i + v == 5)
[1, 2, 3].transformList(i, v, i * v)
[1, 2, 3].transformList(i, v, i > 0, i * v)
[1, 2, 3].transformMap(i, v, v)
[1, 2, 3].transformMap(i, v, i > 0, v)
[1, 2, 3].transformMapEntry(i, v, {v: i})
[1, 2, 3].transformMapEntry(i, v, i > 0, {v: i})
[1, 2, 3].transformMapEntry(i, v, {'a': i})
self.map.all(k, v, k != v)
self.map.exists(k, v, v == 'zz')
self.map.existsOne(k, v, v == 'v1')
self.map.transformList(k, v, k + v)
self.map.transformMap(k, v, v + v)
self.map.transformMap(k, v, k == 'k1', v + v)
self.map.transformMapEntry(k, v, {v: k})
self.ints.all(x, self.ints.exists(y, x == y))
self.ints.all(x, self.ints.all(y, self.ints.all(z, x + y + z > 0)))
self.ints.map(x, self.ints.map(y, x * y))
self.ints.map(x, self.ints.filter(y, x < y)).filter(l, l.size() > 0)
self.items.filter(e, e.k == 'a').map(e, e.k)[0]
self.ints.map(x, x)[0]
self.names.map(x, x + x).exists(x, x == 'bb')
${longList}.all(i, i < 100)
${longList}.exists(i, i == 20)
${longList}.map(i, i * i).filter(i, i > 10).size()
${longList}.all(i, ${longList}.all(j, i + j < 100))
${longTexts}.all(t, t.size() > 10)
self.?child.optMap(c, c.x)
self.?child.optMap(c, c.x + c.x)
self.?child.optMap(c, 1)
self.?child.optMap(c, optional.of(c).optMap(d, d.x).value())
self.?absent.optMap(c, c)
self.?child.optFlatMap(c, c.?x)
self.?child.optFlatMap(c, c.?y).orValue(3)
self.?absent.optFlatMap(c, optional.of(c))
optional.of(self.s).optMap(t, t.size()).value()
optional.none().hasValue()
optional.of(self.i)
optional.ofNonZeroValue(self.i).hasValue()
optional.ofNonZeroValue('').orValue('a')
[self.i, ?self.?absent, ?self.?s].size()
{'a': self.s, ?'b': self.?absent}.size()
[?self.?child][0].x
[?optional.none()].size()
self.b ? self.i : 0
self.b ? self.s : self.quantity
self.b ? self.s + 'a' : 'b'
self.b ? (self.b ? 1 : 2) : 3
(self.b ? self.child : self.child).x
(self.b ? self.items : self.items)[0].k
(self.b ? self.b : false) ? has(self.s) : has(self.absent)
self.b ? has(self.s) : has(self.absent)
(!self.b ? self.map : {'k1': self.s})['k1']
self.b ? 'a'.size() : 1
true ? self : self
[1, 2]
[self.i, 2]
[[1], [self.i]]
{'a': 1}
{'a': self.i}
{'a': {'b': self.i}}.a.b
{'a': [1, 2]}.a[1]
[self.child][0].x
[1, 2][0]
[1, 2][self.i - 4]
{'a': 1}['a']
int('5') + int(self.i)
int(self.quantity.replace('m', ''))
double(self.i) + double('1.5')
string(self.i) + string(1.5) + string(self.d) + string(true)
uint(self.i) == uint('5')
bool('true') && bool('t')
bytes(self.s).size() + bytes(${longer}).size()
string(self.bytes) + string(bytes(${longer}))
timestamp('2024-01-01T00:00:00Z') < self.time
timestamp(string(self.time)) == self.time
duration('1h') < self.span
duration(string('1h')) < self.span
dyn(self.i) == 5
dyn(self.s)
dyn(1)
type(self.i)
type(self.i) == int
type(self.s) == string && type(1) != type('a')
1 in [1, 2, 3]
self.i in [1, 2, 3]
self.i in (self.b ? [1, 2] : self.free.?ints.orValue([1]))
[self.b ? 1 : self.free.z, self.free.z].all(x, x > 0)
(self.b ? [2, 1] : [self.free.z]).sortBy(x, -x)
{'a': self.b ? [1] : [self.free.z]}.a.sum()
self.i in [1, self.i, 3]
self.i in self.ints
self.s in self.names
'k1' in self.map
self.s in {'a': 1}
1 in []
self.i in []
dyn(1.5) in [1, 2]
b'a' in [b'a', b'b']
[1] in [[1], [2]]
self.i in ${longList}
'zz' in ${longTexts}
self.i == 5
self.s == ${longer}
self.s != ${longer}
${longer} == ${longer}
${longer} != ${longer}
${longer} < ${longer}
${longer} >= self.s
self.s < 'a'
self.bytes == bytes(${longer})
self.bytes < bytes(${longer})
bytes(${longer}) == bytes(${longer})
self.ints == [3, 1, 2]
self.ints != self.ints
${longList} == ${longList}
${longTexts} == ${longTexts}
self.map == {'k1': 'v1'}
self.map == self.map
self.child == self.child
self == self
self.items == self.items
self.items[0] == self.items[1]
self.set == ['y', 'x']
self.time == self.time
self.span == self.span
self.port == self.percent
self.none == null
null == null
optional.of(self.s) == optional.of(self.s)
optional.of(${longTexts}) == optional.of(${longTexts})
optional.none() == optional.of(1)
dyn(self.s) == dyn(${longer})
dyn(self.s) < 'a'
dyn(self.s) + dyn(${longer})
dyn(self.s).startsWith(${long})
dyn(self.names).size()
dyn(self.s) in dyn(self.names)
self.free.z + 1
self.free.z < 5
self.free.z == 1
self.i + self.i * 2 - 3 / 4 % 5
-self.i
!self.b
self.d + 1.5
self.s + 'a'
${longer} + ${longer}
bytes(${longer}) + b'abc'
self.ints + [4]
${longList} + ${longList}
self.time + self.span
self.time - self.time
${longer}.contains('wör')
${longer}.contains(${long})
${longer}.startsWith('abc')
'abc'.startsWith(${longer})
${longer}.endsWith('ld')
'ld'.endsWith(${longer})
${longer}.matches('[a-z]+')
${longer}.matches('^[a-zäöü0-9]{10,}hello wörld$')
${longer}.matches(self.s + ${long})
''.matches('abcdefghijklmnopqrstuvwxyz')
matches(${longer}, ${long})
${longer}.find('[0-9]+')
${longer}.findAll('[0-9]+')
${longer}.findAll('[0-9]+', 2)
''.find('abcdef')
${longer}.charAt(20)
${longer}.indexOf('9')
${longer}.indexOf('9', 60)
${longer}.lastIndexOf('9')
${longer}.lastIndexOf('9', 60)
'äöü'.indexOf('ü')
''.indexOf('a')
${longer}.lowerAscii()
${longer}.upperAscii()
${longer}.replace('a', 'bb')
${longer}.replace('a', 'bb', 1)
${longer}.split('a')
${longer}.split('a', 2)
${longer}.substring(20)
${longer}.substring(20, 25)
${longer}.trim()
${longTexts}.join()
${longTexts}.join('-')
self.names.join(', ')
[].join()
${longer}.format([])
'%s and %d'.format([${longer}, 5])
'%s'.format([self.ints])
strings.quote(${longer})
${longer}.size()
size(${longer})
size(self.ints) + size(self.map) + size(self.bytes)
${longTexts}.isSorted()
${longList}.isSorted()
${longList}.sum()
${longList}.min()
${longList}.max()
${longTexts}.max()
${longTexts}.indexOf('zz')
${longTexts}.lastIndexOf('zz')
${longList}.map(i, double(i)).sum()
[true, false].max()
[self.span, self.span].sum()
self.items.indexOf(self.items[1])
[[self.s, self.s], self.names].indexOf(self.names)
self.ints.indexOf(9)
[self.map].indexOf(self.map)
[].sum() == 0
[b'abcdefghijklmn', b'b'].max()
self.names.isSorted()
${longList}.slice(5, 20)
self.ints.slice(1, 5)
${longList}.reverse()
[${longList}, ${longList}].flatten()
dyn([[[1], [2]], [[4]]]).flatten(2)
[[1], [2]].flatten(1)
[[1], [2]].flatten(-1)
[[1], [2]].flatten()
${longList}.distinct()
${longTexts}.distinct()
self.names.distinct()
[].distinct()
${longList}.sort()
${longTexts}.sort()
self.names.sort()
self.ints.sort()
self.items.sortBy(e, e.k)
${longList}.sortBy(i, -i)
${longList}.sortBy(i, string(i))
[self.time].sort()
[].sortBy(e, e)
lists.range(0)
lists.range(self.i)
self.ints.first()
self.ints.last().value()
[].first().hasValue()
sets.contains(self.ints, [1, 2])
sets.contains(${longList}, ${longList})
sets.equivalent(self.names, self.names)
sets.intersects(self.names, ['a'])
sets.intersects(self.names, [])
url('https://example.com:80/path/to?q=1')
url('https://example.com:80/path/to?q=1').getHost()
url('https://example.com:80/path/to?q=1').getQuery()
url('/a') == url('/a')
url('/a') != url('/a')
isURL('https://example.com:80/path/to?q=1')
ip('192.168.100.200')
ip('192.168.100.200') == ip('1.1.1.1')
ip('192.168.100.200') != ip('1.1.1.1')
ip('2001:db8:aaaa:bbbb::1').family()
isIP('2001:db8:aaaa:bbbb::1')
ip.isCanonical('2001:db8:aaaa:bbbb::1')
ip('1.1.1.1').isLoopback() || ip('1.1.1.1').isGlobalUnicast()
string(ip('2001:db8:aaaa:bbbb::1'))
cidr('192.168.100.0/24')
cidr('192.168.100.0/24').ip()
cidr('192.168.100.0/24').masked().prefixLength()
cidr('192.168.100.0/24').containsIP('192.168.100.1')
cidr('192.168.100.0/24').containsIP(ip('192.168.100.1'))
cidr('192.168.100.0/24').containsCIDR('192.168.100.0/25')
cidr('192.168.100.0/24').containsCIDR(cidr('192.168.100.0/25'))
cidr('2001:db8::/32').containsIP('2001:db8:aaaa:bbbb::1')
cidr('2001:db8::/32').containsCIDR('2001:db8:aaaa::/48')
cidr('2001:db8::/32').containsIP(ip('2001:db8::1'))
cidr('2001:db8::/32') == cidr('2001:db8::/32')
isCIDR('2001:db8:aaaa:bbbb::1/64')
string(cidr('2001:db8:aaaa:bbbb::1/64'))
quantity('1500000000000000000m')
quantity('1500m') == quantity('1.5')
quantity('1500m').isGreaterThan(quantity('1')) && isQuantity('10Gi')
quantity('1').add(quantity('2')).sub(1).compareTo(quantity('2'))
quantity('1').sign() == 1 && quantity('5').asInteger() == 5
quantity('5').isInteger()
quantity('1').asApproximateFloat() == 1.0
semver('1.2.3-alpha.1+build.5')
semver('1.2.3') == semver('1.2.3')
semver('v1.2', true).major()
isSemver('1.2.3-alpha.1+build.5')
semver('1.2.3').compareTo(semver('1.2.4')) < 0 && semver('1.2.3').isLessThan(semver('1.2.4'))
format.dns1123Label()
format.dns1123Label().validate('abcdefghijklmnopqrstuvwxyz')
format.dns1123Subdomain().validate('abc')
format.dns1035Label().validate('abc')
format.dns1123LabelPrefix().validate('abc-')
format.dns1123SubdomainPrefix().validate('abc-')
format.dns1035LabelPrefix().validate('abc-')
format.qualifiedName().validate('a/b')
format.labelValue().validate('abc')
format.uri().validate('http://a')
format.uuid().validate('abc')
format.byte().validate('abc')
format.date().validate('2024-01-01')
format.datetime().validate('2024-01-01T00:00:00Z')
format.named('dns1123Label').value().validate('abc')
format.named('zz').hasValue()
format.dns1123Label() == format.dns1123Label()
self.time.getFullYear() + self.time.getHours('Europe/Berlin')
self.span.getSeconds()
Object{spec: Object.spec{a: self.i, b: [self.s]}}
Object{?spec: optional.none()}
[JSONPatch{op: 'add', path: '/spec/' + jsonpatch.escapeKey('a/b'), value: self.i}]
jsonpatch.escapeKey(${longer})
authorizer.path('/healthz').check('get').allowed()
authorizer.group('apps').resource('deployments').subresource('status').namespace('a').name('b').check('get').reason()
authorizer.serviceAccount('default', 'robot').group('').resource('pods').check('list').allowed()
authorizer.group('').resource('pods').fieldSelector('spec.nodeName=a').labelSelector('a=b,c in (d,e)').check('list').errored()
authorizer.group('') == authorizer.group('')
self.ints.all(x, x > 0) && self.names.all(x, x != '') && self.items.all(e, e.k.size() == 1)
self.items.all(e, has(e.v) ? e.v > 0 : true)
self.items.all(e, e.?v.orValue(1) > 0)
self.items.map(e, {'k': e.k}).all(m, m.k == m['k'])
self.items.exists(e, e.k == 'b' && !has(e.v))
${longList}.map(i, 'x').join().size() == 30 ? self.ints.sum() : self.i
${longList}.all(i, i / (i - 30) <= 0 || i == 30)
${longList}.all(i, 1 / 0 == 1 || true)
${longList}.exists(i, 1 / 0 == 1 && false)
${longList}.map(i, 1 / 0).size() == 1 || true
${longList}.filter(i, 1 / 0 == 1).size() == 1 || true
${longList}.exists_one(i, 1 / 0 == 1) || true
${longList}.transformMap(i, v, 1 / 0).size() == 1 || true
${longList}.all(i, ${longList}.all(j, ${longList}.all(k, ${longList}.all(l, i + j + k + l < 1000))))
${longList}.all(i, ${longList}.exists(j, ${longList}.all(k, ${longList}.all(l, ${longList}.all(m, true))) || true) || true)
lists.range(2000).map(i, lists.range(2000)).size() > 0 || true
true || lists.range(2000).map(i, lists.range(2000)).size() > 0
lists.range(900000).size()
lists.range(1000000).size()
`
  .trim()
  .split("\n");
