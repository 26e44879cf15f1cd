# Published experiments: listed without a name, run by group or one by one, figures in a folder.
"$throng" reproduce | grep -c '^bvp\.E'
"$throng" reproduce | head -2
"$throng" reproduce --json | grep -c '"id"'
"$throng" reproduce bvp.E12; echo "code $?"
"$throng" reproduce bvp.E12 --json | grep '"verdict"\|"figure"\|"thesis"'
"$throng" reproduce bvp.E12 --quiet; echo "code $?"
ls out/reproduce
"$throng" reproduce bvp.E41; echo "code $?"
mkdir closed && touch closed/out
(cd closed && "$throng" reproduce bvp.E12 --quiet; echo "code $?")
