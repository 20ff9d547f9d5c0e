"""The 256 words that people read to each other: one for each value of a byte.

Owns the list, frozen with `tongits-lan/1` and published as `protocol/words.json`: short lower-case Filipino
words, no two of which begin with the same four letters or differ in one letter only, so that a word heard
across a table is not taken for another. Must not know what the bytes are of.
"""

_LIST = """
abaka abot agila ahas akyat alaala alak alamat alpas amihan amoy anino apat aral asin asul awit ayos baboy
bagay bagyo bakod balat balon banal bangka banig bara barko batas bato bawang bayan bilog bisig bituin
biyahe bote buhay buhok bukas bukid bulak bulsa bundok bunga buntot burol butil buwaya daan daga dahon
dalaga damit damo dasal dila diwata dugo durian duyan dyip gabi galing gamot gansa gata gatong gitara
gitna gulay gunting guro gutom hagdan halik hangin hapon harana hari hatol hilaga hilom himig hiyas hugis
huli hulma ibon ikot ilaw imahe inahin init ipis isda isip itim itlog iyak kabayo kahoy kalan kalye kamay
kambal kanin kanta kape karne kawali keso kidlat kilay kislap kubo kuneho kurba kuting kutsara kuwago
lagari lambat lamig landas langit lapis laya likha lilim linggo loro lubid lugar lumot lupa mahal mais
mangga manika manok medyas mesa mukha multo munggo musika nanay ngayon ngipin ngiti nipa niyog nunal
orasan oso pabo palad palda panday pansit papaya papel parol pasko patis payong pera pilak pinto pinya
pista piyano plasa prutas pugad pugita pula pulot puno puti regalo relo reyna rosas ruta sabon saging
sagwan sako salita sampay sandok sapa sariwa sayaw selyo sibat sigla silya simoy sinag sipol siyam sobre
suka suklay sulat sulo suman sungay susi tabako tainga takip tala tambol tanso tao tatlo telon tigre tinik
tinta tiyan torre trapo tren trumpo tubig tuhod tuldok tulong tuwa tuyo ubas ugat ulap uling unan upuan
usok utak wakas walis walo wasto watawat yabag yakap yaman yantok yero yoyo yungib
"""

WORDS: tuple[str, ...] = tuple(_LIST.split())


def words_of(data: bytes) -> tuple[str, str, str, str]:
    """The words of four bytes."""
    first, second, third, fourth = data
    return WORDS[first], WORDS[second], WORDS[third], WORDS[fourth]
