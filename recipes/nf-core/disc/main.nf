process DISC_RUN {
    tag "$meta.id"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"

    input:
    tuple val(meta), path(conditions)   // one file per condition, or one file and meta.by
    path metadata                       // table of the samples, or []
    path genesets                       // named sets of features (gmt), or []

    output:
    tuple val(meta), path("${prefix}/report.html") , emit: report
    tuple val(meta), path("${prefix}/groups.tsv")  , emit: groups
    tuple val(meta), path("${prefix}/features.tsv"), emit: features
    tuple val(meta), path("${prefix}/pairs.tsv")   , emit: pairs
    tuple val(meta), path("${prefix}/summary.json"), emit: summary
    path "versions.yml"                            , emit: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    def by   = meta.by   ? "--by '${meta.by}'"     : ''
    def unit = meta.unit ? "--unit '${meta.unit}'" : ''
    def table = metadata ? "--metadata ${metadata}" : ''
    def sets = genesets ? "--genesets ${genesets}" : ''
    prefix = task.ext.prefix ?: "${meta.id}"
    """
    disc run ${conditions} ${by} ${unit} ${table} ${sets} --threads ${task.cpus} ${args} -o ${prefix}

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        disc: \$(disc --version | sed -n '1s/^disc //p')
    END_VERSIONS
    """

    stub:
    prefix = task.ext.prefix ?: "${meta.id}"
    """
    mkdir ${prefix}
    touch ${prefix}/report.html ${prefix}/groups.tsv ${prefix}/features.tsv ${prefix}/pairs.tsv
    echo '{}' > ${prefix}/summary.json
    echo '"${task.process}": {disc: 0.1.0}' > versions.yml
    """
}
